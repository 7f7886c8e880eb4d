// tools.hpp - the tools, for the server and for its tests.
#pragma once

#include <tenon/tenon.hpp>

void add_tools(tenon::server &server);
