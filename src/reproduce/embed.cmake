# cmake -DOUT=file.cpp "-DFILES=a.toml;b.toml" -P embed.cmake: writes C++ that carries the files as raw strings.
set(code "#include \"sotto/reproduce/shipped_experiments.h\"\n\nnamespace sotto {\n\nstd::span<const ShippedExperiment> shipped_experiments() {\n  static constexpr ShippedExperiment all[] = {\n")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
  string(APPEND code "      {\"${name}\", R\"toml(${text})toml\"},\n")
endforeach()
string(APPEND code "  };\n  return all;\n}\n\n}  // namespace sotto\n")
file(WRITE ${OUT} "${code}")
