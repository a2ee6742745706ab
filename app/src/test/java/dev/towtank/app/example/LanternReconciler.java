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
final class LanternReconciler implements Reconciler<Json.Obj, LanternReconciler.Night> {

    static final Kind<Json.Obj> LANTERNS =
            Kind.namespaced("example.towtank.dev", "v1", "Lantern", "lanterns").withStatus();

    /// What it has to know.
    ///
    /// @param insects how many there are that come to the light
    record Night(Answer<Boolean> dark, int insects) {}

    /// To light the lanterns of a town.
    record Light(String town) implements Deed {
        @Override
        public Json.Obj json() {
            return Json.Obj.of("light", Json.of(town));
        }
    }

    /// What follows: a value, so that equal decisions are equal.
    record Lit(Resource lantern, int insects) implements Deed.Sequel {
        @Override
        public Plan after(Json result) {
            return said(lantern, "Lit", insects);
        }
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> lantern, Night night, Instant now) {
        var object = lantern.object();
        return switch (night.dark()) {
            case Answer.Pending<Boolean> _ -> Plan.none();
            case Answer.Failed<Boolean> failed -> Plan.none().setStatus(LANTERNS, object, status(failed.problem(), 0));
            case Answer.Known<Boolean>(var isDark, var _) ->
                isDark ? lit(object, night.insects()) : said(object, "Off", 0);
        };
    }

    private static Plan lit(Resource lantern, int insects) {
        return lantern.status().string("phase").equals("Lit")
                ? said(lantern, "Lit", insects)
                : Plan.of(new Change.Act(new Light(lantern.spec().string("town")), new Lit(lantern, insects)));
    }

    /// The map is applied, not created: what others wrote into it stays. The status comes last, as it says that all is
    /// done.
    private static Plan said(Resource lantern, String phase, int insects) {
        var status = status(phase, insects);
        return lantern.status().equals(status)
                ? Plan.none()
                : Plan.of(new Change.Apply(ConfigMaps.KIND, map(lantern, phase), "lanterns"))
                        .setStatus(LANTERNS, lantern, status);
    }

    private static Resource map(Resource lantern, String phase) {
        var map = Json.Obj.builder()
                .put("apiVersion", "v1")
                .put("kind", "ConfigMap")
                .put(
                        "metadata",
                        Json.Obj.of("name", Json.of(lantern.name()), "namespace", Json.of(lantern.namespace())))
                .put("data", Json.Obj.of("phase", Json.of(phase)))
                .build();
        return new Resource(lantern.cluster(), map);
    }

    private static Json.Obj status(String phase, int insects) {
        return Json.Obj.of("phase", Json.of(phase), "insects", Json.of(insects));
    }
}
