# What `cmake --install` leaves behind, so that `find_package(sotto)` offers
#   sotto::device  the device library; SOTTO_DEVICE is defined, so experiments' shortcuts do not compile
#   sotto::sotto   everything (absent when SOTTO_SCIENCE is off)
#   sotto::client, sotto::client_static   the C interface, libsotto_device
# and so that `pkg-config sotto-device` finds the last. The component `client` is the C interface alone: what an
# application needs, and no C++.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sotto)

set_target_properties(sotto_core PROPERTIES EXPORT_NAME core)
set_target_properties(sotto_device PROPERTIES EXPORT_NAME device)
install(TARGETS sotto_core sotto_device EXPORT sottoTargets)
if(SOTTO_SCIENCE)
  install(TARGETS sotto EXPORT sottoTargets)
endif()
if(TARGET sotto_client)
  install(TARGETS sotto_client sotto_client_static EXPORT sottoTargets
    LIBRARY COMPONENT client NAMELINK_COMPONENT client ARCHIVE COMPONENT client)
  set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  file(RELATIVE_PATH pc_to_prefix /${pc_dir} /) # the installed tree may be moved, and installed elsewhere than configured
  configure_file(${CMAKE_CURRENT_LIST_DIR}/sotto-device.pc.in ${PROJECT_BINARY_DIR}/sotto-device.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/sotto-device.pc DESTINATION ${pc_dir} COMPONENT client)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/include/sotto.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT client)
install(EXPORT sottoTargets NAMESPACE sotto:: DESTINATION ${package_dir})

set(installed_layers ${SOTTO_DEVICE_LAYERS})
list(REMOVE_ITEM installed_layers client) # its header is sotto.h
if(SOTTO_SCIENCE)
  list(APPEND installed_layers ${SOTTO_SCIENCE_LAYERS})
endif()
foreach(layer ${installed_layers}) # headers named for JSON are internal: their users would need that library
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/${layer} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sotto
    FILES_MATCHING PATTERN "*.h" PATTERN "*_test*" EXCLUDE PATTERN "*json*" EXCLUDE)
endforeach()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/sottoConfig.cmake.in ${PROJECT_BINARY_DIR}/sottoConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sottoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sottoConfig.cmake ${PROJECT_BINARY_DIR}/sottoConfigVersion.cmake
  DESTINATION ${package_dir})
