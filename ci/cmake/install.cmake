# Installs the CMake package, for find_package(warplint).
include(CMakePackageConfigHelpers)
set(WARPLINT_PROGRAM bin/warplint)
configure_package_config_file(ci/cmake/warplint-config.cmake.in ${CMAKE_BINARY_DIR}/warplint-config.cmake
  INSTALL_DESTINATION share/cmake/warplint PATH_VARS WARPLINT_PROGRAM NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/warplint-config-version.cmake
  COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)
install(FILES ${CMAKE_BINARY_DIR}/warplint-config.cmake ${CMAKE_BINARY_DIR}/warplint-config-version.cmake
  ci/cmake/warplint-enable.cmake DESTINATION share/cmake/warplint)
