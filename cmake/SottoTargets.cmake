# How every target of this project is built, said once.

set(SOTTO_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wold-style-cast -Wnon-virtual-dtor
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)  # GCC 12 sees overlaps in std::string that are not there (its bug 105329)

find_program(SOTTO_CCACHE ccache)
mark_as_advanced(SOTTO_CCACHE)
if(PROJECT_IS_TOP_LEVEL AND SOTTO_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # It must be told to look past the dates within a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${SOTTO_CCACHE})
endif()

function(sotto_compile_options target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE ${SOTTO_WARNINGS}
    $<$<BOOL:${SOTTO_WERROR}>:-Werror> $<$<BOOL:${SOTTO_NATIVE}>:-march=native>)
  if(SOTTO_NATIVE) # no choice at run time then, for which Highway 1.0 lacks the newest instructions that GCC assumes
    target_compile_definitions(${target} PRIVATE HWY_COMPILE_ONLY_STATIC)
  endif()
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
  if(SOTTO_SANITIZE) # where tests spend their time; the tests themselves are compiled as fast as can be
    target_compile_options(${name} PRIVATE -O1)
  endif()
endfunction()

# Makes one unit of the sources of each folder. Names within a folder's unnamed namespaces must differ for that, which
# the sanitized builds check; that every source compiles by itself is checked by the others.
function(sotto_unite library)
  get_target_property(sources ${library} SOURCES)
  foreach(source ${sources})
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(GET folder FILENAME folder)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
  endforeach()
  set_target_properties(${library} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  target_compile_options(${library} PRIVATE -Wno-shadow) # within a unit, of a name in another file
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
  list(LENGTH arg_SOURCES count)
  # One unit for all: most of a test's compilation is headers and templates that its neighbours need too. Not CMake's unity
  # build, for which helpers of two files would need different names.
  if("programs" IN_LIST SOTTO_UNITY AND count GREATER 1)
    list(TRANSFORM arg_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    set(joined ${CMAKE_CURRENT_BINARY_DIR}/joined_${arg_NAME}.cpp)
    set(join ${PROJECT_SOURCE_DIR}/tools/join_tests.sh)
    add_custom_command(OUTPUT ${joined} COMMAND sh ${join} ${joined} ${arg_SOURCES} DEPENDS ${arg_SOURCES} ${join} VERBATIM)
    set(arg_SOURCES ${joined})
  endif()
  add_executable(${arg_NAME} ${arg_SOURCES})
  sotto_compile_options(${arg_NAME})
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LIBRARIES} GTest::gtest_main)
  if(NOT TARGET sotto_test_headers) # compiled once for all tests: GoogleTest is a third of what a test's compiler reads
    file(WRITE ${PROJECT_BINARY_DIR}/test_headers.cpp "")
    add_library(sotto_test_headers OBJECT ${PROJECT_BINARY_DIR}/test_headers.cpp)
    sotto_compile_options(sotto_test_headers)
    target_link_libraries(sotto_test_headers PRIVATE GTest::gtest)
    target_precompile_headers(sotto_test_headers PRIVATE <gtest/gtest.h>)
  endif()
  # ccache asks for the first. As for the others, GCC 12 forgets that std::string is none of ours once it is precompiled.
  target_compile_options(${arg_NAME} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess -Wno-array-bounds -Wno-stringop-overflow>)
  target_precompile_headers(${arg_NAME} REUSE_FROM sotto_test_headers)
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
