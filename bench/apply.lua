-- Applies one Deployment again and again: the same each time, or with another annotation when APPLY_CHANGES is set.
local changes = os.getenv("APPLY_CHANGES") ~= nil
local counter = 0

function request()
  local note = "same"
  if changes then
    counter = counter + 1
    note = tostring(counter)
  end
  return wrk.format("PATCH", nil, nil,
    '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"applied","annotations":{"note":"' .. note ..
    '"}},"spec":{"replicas":0,"selector":{"matchLabels":{"app":"a"}},"template":{"metadata":{"labels":{"app":"a"}},' ..
    '"spec":{"containers":[{"name":"main","image":"busybox","env":[{"name":"A","value":"1"}]}]}}}}')
end
