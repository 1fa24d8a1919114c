# Sets `every_header` to a source file that includes each installed header, and refuses those that drag in a library
# which an installed sotto does not ask for. A device includes what stands below the device line, and no seeded entropy;
# that it says so is tested elsewhere.
get_target_property(include_dir sotto::core INTERFACE_INCLUDE_DIRECTORIES)
file(GLOB_RECURSE headers RELATIVE ${include_dir} ${include_dir}/sotto/*.h)
if(NOT headers)
  message(FATAL_ERROR "no header was installed")
endif()
set(every_header ${CMAKE_BINARY_DIR}/every_header.cpp)
file(WRITE ${every_header} "")
foreach(header ${headers})
  if(PROJECT_NAME STREQUAL device_consumer AND
     (header MATCHES seeded_entropy OR NOT header MATCHES "^sotto/(kernel|privacy|constraint|channel|encoder|wire|mechanism)/"))
    continue()
  endif()
  file(APPEND ${every_header} "#include \"${header}\"\n")
endforeach()
file(APPEND ${every_header} "#if defined(EIGEN_CORE_H) || defined(INCLUDE_NLOHMANN_JSON_FWD_HPP_)\n"
  "#error \"an installed header includes Eigen or nlohmann-json\"\n#endif\n")
