package dev.towtank.app.example;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Deed;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Outside.Answer;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.ConfigMaps;
import java.time.Instant;

/// Lights a lantern when it is dark in its town. Pure: what it knows of the world comes in, what is to be done goes
/// out.
final class LanternReconciler implements Reconciler<Json.Obj, Answer<Boolean>> {

    static final Kind<Json.Obj> LANTERNS = Kind.namespaced("example.towtank.dev", "v1", "Lantern", "lanterns");

    /// To light the lanterns of a town.
    record Light(String town) implements Deed {
        @Override
        public Json.Obj json() {
            return Json.Obj.of("light", Json.of(town));
        }
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> lantern, Answer<Boolean> dark, Instant now) {
        var object = lantern.object();
        return switch (dark) {
            case Answer.Pending<Boolean> _ -> Plan.none();
            case Answer.Failed<Boolean> failed -> Plan.none().setStatus(LANTERNS, object, phase(failed.problem()));
            case Answer.Known<Boolean>(var isDark, var _) -> isDark ? lit(object) : said(object, "Off");
        };
    }

    private static Plan lit(Resource lantern) {
        if (lantern.status().string("phase").equals("Lit")) {
            return Plan.none();
        }
        return Plan.of(new Change.Act(new Light(lantern.spec().string("town")), _ -> said(lantern, "Lit")));
    }

    /// The map is applied, not created: what others wrote into it stays.
    private static Plan said(Resource lantern, String phase) {
        var map = Json.Obj.builder()
                .put("apiVersion", "v1")
                .put("kind", "ConfigMap")
                .put(
                        "metadata",
                        Json.Obj.of("name", Json.of(lantern.name()), "namespace", Json.of(lantern.namespace())))
                .put("data", Json.Obj.of("phase", Json.of(phase)))
                .build();
        return Plan.of(new Change.Apply(ConfigMaps.KIND, new Resource(lantern.cluster(), map), "lanterns"))
                .setStatus(LANTERNS, lantern, phase(phase));
    }

    private static Json.Obj phase(String text) {
        return Json.Obj.of("phase", Json.of(text));
    }
}
