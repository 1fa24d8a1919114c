// In the shared library alone, which brings its own copy of the C++ library: should it ever end the program (nothing
// throws across the border, so this would be a defect), it prints nothing into somebody else's standard error. The C++
// library's own version of this function prints the exception's text, and takes the demangler's 60 kB to do so.
#include <cstdlib>

namespace __gnu_cxx {  // NOLINT(bugprone-reserved-identifier): replacing it is the point

void __verbose_terminate_handler();
void __verbose_terminate_handler() { std::abort(); }

}  // namespace __gnu_cxx
