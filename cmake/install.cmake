# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where: the program with its man pages and completions, and the library for C++. `cpack` makes
# a Debian package of the same.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(LERP_SANITIZE)
  return()
endif()

install(TARGETS lerp COMPONENT program)
if(TARGET lerp_mpi) # the program looks for it there
  install(TARGETS lerp_mpi LIBRARY DESTINATION lib/lerp COMPONENT mpi)
endif()

# Made from the declarations of the verbs, by the program itself.
set(LERP_SHARE ${PROJECT_BINARY_DIR}/share)
add_custom_command(TARGET lerp POST_BUILD
  COMMAND ${CMAKE_COMMAND} -E make_directory ${LERP_SHARE}
  COMMAND lerp completion --out ${LERP_SHARE}
  COMMAND lerp manual ${LERP_SHARE}/man1
  VERBATIM)
install(FILES ${LERP_SHARE}/lerp.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME lerp COMPONENT program)
install(FILES ${LERP_SHARE}/_lerp DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT program)
install(FILES ${LERP_SHARE}/lerp.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
install(DIRECTORY ${LERP_SHARE}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT program)
install(FILES LICENSE CHANGELOG.md README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)

# The library: `find_package(lerp)` and `pkg-config lerp`.
set(LERP_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/lerp)
set_target_properties(liblerp PROPERTIES EXPORT_NAME lerp)
target_compile_features(liblerp PUBLIC cxx_std_20)
install(TARGETS liblerp EXPORT lerp ARCHIVE COMPONENT library)
install(DIRECTORY include/lerp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library FILES_MATCHING PATTERN "*.hpp"
        PATTERN server EXCLUDE) # a library that the program alone has
install(EXPORT lerp NAMESPACE lerp:: FILE lerpTargets.cmake DESTINATION ${LERP_PACKAGE_DIR} COMPONENT library)
configure_package_config_file(cmake/lerpConfig.cmake.in lerpConfig.cmake INSTALL_DESTINATION ${LERP_PACKAGE_DIR})
write_basic_package_version_file(lerpConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/lerpConfig.cmake ${PROJECT_BINARY_DIR}/lerpConfigVersion.cmake
        DESTINATION ${LERP_PACKAGE_DIR} COMPONENT library)
set(LERP_PC_RAPTOR "")
if(raptor_FOUND)
  set(LERP_PC_RAPTOR " raptor2")
endif()
configure_file(cmake/lerp.pc.in lerp.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/lerp.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)

# Packages: `lerp` to run, `lerp-mpi` to run in several processes, `liblerp-dev` to build on.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lerp)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The lerp authors <lerp@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_COMPONENTS_ALL program library)
if(TARGET lerp_mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()
set(CPACK_DEBIAN_MPI_PACKAGE_NAME lerp-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_SECTION science)
set(CPACK_DEBIAN_MPI_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "lerp (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME lerp)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME liblerp-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
string(CONCAT CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS
  "libfmt-dev, libhwy-dev, nlohmann-json3-dev, libsimdjson-dev, libexpected-dev, libisal-dev, libserd-dev, libxxhash-dev, "
  "libzstd-dev, liblzma-dev, libbz2-dev, libzip-dev, libraptor2-dev")
include(CPack)
