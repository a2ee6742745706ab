package dev.towtank.controllers.secrets;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.List;

/// What a patch must say to add a finalizer, or to take it away.
final class Finalizers {

    private Finalizers() {}

    static Json.Obj with(Resource object, String finalizer) {
        var all = new ArrayList<>(object.finalizers());
        all.add(finalizer);
        return patch(all);
    }

    static Json.Obj without(Resource object, String finalizer) {
        var all = new ArrayList<>(object.finalizers());
        all.remove(finalizer);
        return patch(all);
    }

    private static Json.Obj patch(List<String> finalizers) {
        return Json.Obj.of("metadata", Json.Obj.of("finalizers", Json.Arr.ofStrings(finalizers)));
    }
}
