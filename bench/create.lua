-- Creates ConfigMaps of 1 KB, each under a name of its own.
local threads = 0

function setup(thread)
  thread:set("id", threads)
  threads = threads + 1
end

function init()
  counter = 0
  math.randomseed(os.time() + id)
  run = math.random(1000000000)
end

local filler = string.rep("x", 850)

function request()
  counter = counter + 1
  local name = "c" .. run .. "-" .. id .. "-" .. counter
  return wrk.format("POST", nil, nil,
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"' .. name .. '"},"data":{"k":"' .. filler .. '"}}')
end
