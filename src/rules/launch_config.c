#include "rules/launch_config.h"

#include <math.h>

#define SETTER_AND_GETTER(name, type, ...)                                                                             \
    static void set_##name(struct launch_config *config, double number)                                                \
    {                                                                                                                  \
        config->name = (type)number;                                                                                   \
    }                                                                                                                  \
    static double get_##name(const struct launch_config *config)                                                       \
    {                                                                                                                  \
        return (double)config->name;                                                                                   \
    }
LAUNCH_FACTS(SETTER_AND_GETTER, SETTER_AND_GETTER)

#define IS_WHOLE(type) _Generic((type)0, float : false, default : true)
#define KEY_ROW(name, type, unknown, key, unit, least, most, expected, sample, what, doc)                              \
    {{key, expected, least, most, IS_WHOLE(type), UNIT_##unit}, sample, what, unknown, set_##name, get_##name},
#define GIVEN_ROW(name, type, unknown, key, unit, least, most, expected, doc)                                          \
    KEY_ROW(name, type, unknown, key, unit, least, most, expected, NULL, NULL, doc)
const struct launch_fact launch_facts[LAUNCH_COUNT] = {LAUNCH_FACTS(KEY_ROW, GIVEN_ROW)};

bool value_kind_fits(const struct value_kind *kind, double number)
{
    bool fits = !kind->whole || !(floor(number) < number);
    return fits && number >= kind->least && number <= kind->most;
}

const struct launch_fact *launch_fact_find(struct str key)
{
    for (int at = 0; at < LAUNCH_COUNT; at++)
        if (str_eq(key, str_of(launch_facts[at].key.name)))
            return &launch_facts[at];
    return NULL;
}

const char *const threads_from_names[] = {NULL, "cli", "config", "profile", "required", "launch-bounds", "triton"};
const char *const threads_from_texts[] = {"",
                                          "--threads",
                                          "the configuration",
                                          "the profile",
                                          "what the kernel requires",
                                          "its launch bounds: at most",
                                          "Triton's metadata"};

void launch_config_set(struct launch_config *config, const struct launch_fact *fact, double number,
                       enum threads_from from)
{
    fact->set(config, number);
    if (fact == &launch_facts[LAUNCH_threads])
        config->threads_from = from;
}

double launch_config_get(const struct launch_config *config, const struct launch_fact *fact)
{
    double number = fact->get(config);
    return number > fact->unknown ? number : (double)NAN;
}

struct launch_config launch_config_none(void)
{
    struct launch_config config = {.threads_from = THREADS_UNKNOWN};
    for (int at = 0; at < LAUNCH_COUNT; at++)
        launch_facts[at].set(&config, launch_facts[at].unknown);
    return config;
}

int launch_carveout(const struct launch_config *config)
{
    return config->carveout < 0 ? -1 : (int)(config->carveout * 100 + 0.5F);
}
