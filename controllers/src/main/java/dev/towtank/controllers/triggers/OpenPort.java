package dev.towtank.controllers.triggers;

import dev.towtank.cluster.Deed;
import dev.towtank.cluster.ObjectName;
import dev.towtank.model.Json;

/// Lets a listener listen; done when it listens already.
record OpenPort(ObjectName listener) implements Deed {

    @Override
    public Json.Obj json() {
        return Json.Obj.of("openPort", Json.of(listener.toString()));
    }
}
