# Installs manual pages, which the program writes, and completions for shells; `cpack -G DEB` makes the .deb.
set(MANUAL "")
foreach(page IN LISTS MANUAL_PAGES)
  get_filename_component(name ${page} NAME_WLE)
  string(REGEX REPLACE ".*\\." "" section ${name})
  list(APPEND MANUAL ${CMAKE_BINARY_DIR}/man/${name})
  install(FILES ${CMAKE_BINARY_DIR}/man/${name} DESTINATION share/man/man${section})
endforeach()
add_custom_command(OUTPUT ${MANUAL}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/man
  COMMAND warplint __manual ${CMAKE_BINARY_DIR}/man
  DEPENDS warplint VERBATIM)
add_custom_target(manual ALL DEPENDS ${MANUAL})

set(COMPLETIONS ${CMAKE_SOURCE_DIR}/src/cli/completions)
install(FILES ${COMPLETIONS}/warplint.bash DESTINATION share/bash-completion/completions RENAME warplint)
install(FILES ${COMPLETIONS}/warplint.fish DESTINATION share/fish/vendor_completions.d)
# Debian's zsh has a separate folder for the completions of packages.
install(FILES ${COMPLETIONS}/warplint.zsh DESTINATION share/zsh/site-functions RENAME _warplint COMPONENT site)
install(FILES ${COMPLETIONS}/warplint.zsh
  DESTINATION share/zsh/vendor-completions RENAME _warplint COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION share/doc/warplint RENAME copyright COMPONENT debian EXCLUDE_FROM_ALL)

set(CPACK_PACKAGE_NAME warplint)
set(CPACK_PACKAGE_CONTACT "the warplint authors <warplint@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "judges what ptxas says about CUDA kernels")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL Unspecified debian)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"It reads the output of nvcc -Xptxas=-v: registers, spilled bytes, stack and
 shared memory of every kernel on every architecture. It computes the occupancy,
 judges both by rules that can be read and written, and fails a build by them.")
include(CPack)
