"""FastMCP's proxy over HTTP in front of a command: proxy.py PORT COMMAND..."""
import sys

from fastmcp.client.transports import StdioTransport
from fastmcp.server import create_proxy

create_proxy(StdioTransport(sys.argv[2], sys.argv[3:]), name="proxy").run(transport="http", host="127.0.0.1", port=int(sys.argv[1]),
                                                                        show_banner=False, log_level="ERROR")
