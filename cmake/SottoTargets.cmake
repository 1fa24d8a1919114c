# How every target of this project is built, said once.

set(SOTTO_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wold-style-cast -Wnon-virtual-dtor
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)  # GCC 12 sees overlaps in std::string that are not there (its bug 105329)

find_program(SOTTO_CCACHE ccache)
mark_as_advanced(SOTTO_CCACHE)
if(PROJECT_IS_TOP_LEVEL AND SOTTO_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${SOTTO_CCACHE})
endif()

function(sotto_compile_options target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE ${SOTTO_WARNINGS}
    $<$<BOOL:${SOTTO_WERROR}>:-Werror> $<$<BOOL:${SOTTO_NATIVE}>:-march=native>)
  if(EMSCRIPTEN) # whose default turns every throw into an abort
    target_compile_options(${target} PUBLIC -fwasm-exceptions)
    target_link_options(${target} PUBLIC -fwasm-exceptions)
  endif()
  if(SOTTO_SANITIZE)
    # GCC's checks of every pointer for null, alignment and type take a fifth of the build. Null pointers crash anyway, and
    # the fuzz targets, which clang builds, keep all three.
    target_compile_options(${target} PRIVATE -fsanitize=${SOTTO_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
      $<$<CXX_COMPILER_ID:GNU>:-fno-sanitize=null,alignment,vptr>)
    target_link_options(${target} PUBLIC -fsanitize=${SOTTO_SANITIZE})
  endif()
endfunction()

function(sotto_library name)
  add_library(${name} STATIC)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
  sotto_compile_options(${name})
endfunction()

# sotto_test(NAME name [LABELS fast|statistical|threads|...] SOURCES a_test.cpp ... LIBRARIES lib ...)
# One executable; each of its GoogleTest cases becomes a ctest case. Labels say what a case costs: `fast` is the default.
# For each label there is a build target, for example `fast_tests`, of the executables that carry it.
function(sotto_test)
  cmake_parse_arguments(arg "" "NAME" "LABELS;SOURCES;LIBRARIES" ${ARGN})
  if(NOT SOTTO_TESTS OR ("sotto" IN_LIST arg_LIBRARIES AND NOT SOTTO_SCIENCE))
    return()
  endif()
  if(NOT arg_LABELS)
    set(arg_LABELS fast)
  endif()
  add_executable(${arg_NAME} ${arg_SOURCES})
  sotto_compile_options(${arg_NAME})
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LIBRARIES} GTest::gtest_main)
  foreach(label ${arg_LABELS})
    if(NOT TARGET ${label}_tests)
      add_custom_target(${label}_tests)
    endif()
    add_dependencies(${label}_tests ${arg_NAME})
  endforeach()
  # gtest_discover_tests cannot pass on a list. `ctest -L fast` searches within a label, so one joined label serves.
  string(JOIN "+" label ${arg_LABELS})
  # Pretty values would put addresses into names, which then differ from build to build.
  gtest_discover_tests(${arg_NAME} NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60 PROPERTIES LABELS ${label} TIMEOUT 600)
endfunction()
