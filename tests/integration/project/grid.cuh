// What both programs know of the grid.
#ifndef GRID_CUH
#define GRID_CUH

struct grid {
    int width, height;
    float step;
};

// Defined in flow/limiter.cu, so the device code of what calls it has to be linked (-rdc=true).
__device__ float limited(float slope, float bound);

template <int COLUMNS>
__device__ float row_sum(const float *row)
{
    float sum = 0;
    for (int column = 0; column < COLUMNS; column++)
        sum += row[column];
    return sum;
}

void smooth(const float *in, float *out, struct grid grid);

#endif
