package dev.towtank.controllers.pipelines.conversion;

import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import java.util.ArrayList;

/// ResolutionRequests, whose params once were texts by name.
final class ResolutionRequests {

    private ResolutionRequests() {}

    static Json.Obj toBeta(Json.Obj request) {
        return Shapes.object(request, "spec", spec -> {
            if (!(spec.get("params") instanceof Json.Obj params)) {
                return spec;
            }
            var list = new ArrayList<Json>();
            params.forEach((name, value) -> list.add(Json.Obj.of("name", Json.of(name), "value", value)));
            return spec.with("params", new Json.Arr(list));
        });
    }

    static Json.Obj toAlpha(Json.Obj request) {
        return Shapes.object(request, "spec", spec -> {
            if (!(spec.get("params") instanceof Json.Arr params)) {
                return spec;
            }
            var byName = Json.Obj.builder();
            var others = new ArrayList<String>();
            for (var param : params.objects()) {
                var value = param.get("value");
                if (ParamValue.read(value == null ? Json.Null.NULL : value) instanceof ParamValue.Text(var text)) {
                    byName.put(param.string("name"), text);
                } else {
                    others.add(param.string("name"));
                }
            }
            if (!others.isEmpty()) {
                throw StatusError.badRequest("cannot convert v1beta1 to v1alpha, non-string type parameter(s) found: "
                        + String.join(", ", others));
            }
            return spec.with("params", byName.build());
        });
    }
}
