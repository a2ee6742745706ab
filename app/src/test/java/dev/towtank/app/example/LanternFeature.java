package dev.towtank.app.example;

import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Definitions;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.Outside;
import dev.towtank.cluster.Permission;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.cluster.web.Endpoint;
import dev.towtank.cluster.web.WebDoor.Port;
import dev.towtank.cluster.web.WebResponse;
import dev.towtank.model.Json;
import dev.towtank.model.kinds.core.ConfigMaps;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/// Lanterns that are lit when it is dark.
final class LanternFeature implements Feature {

    private final Outside.Reader<String, Boolean> sky;
    final Set<String> lit = new ConcurrentSkipListSet<>();

    /// @param sky tells whether it is dark in a town; in a real feature, a class of its package `source`
    LanternFeature(Outside.Reader<String, Boolean> sky) {
        this.sky = sky;
    }

    @Override
    public String name() {
        return "lanterns";
    }

    @Override
    public Definitions definitions() {
        return Definitions.of(LanternFeature.class, "lanterns.yaml");
    }

    @Override
    public List<Permission> permissions() {
        return Permission.read("""
                read | example.towtank.dev | lanterns
                update patch | example.towtank.dev | lanterns/status
                read create patch | core | configmaps
                """);
    }

    @Override
    public Running start(Place place) {
        var lanterns = place.caches().of(LanternReconciler.LANTERNS);
        place.caches().of(ConfigMaps.KIND);
        var darkness = new Outside<>("darkness", sky, Outside.Limits.USUAL, place.timers());
        var controller = Controller.of(
                        "lantern-lighter",
                        LanternReconciler.LANTERNS,
                        lantern -> darkness.ask(
                                lantern.name(), lantern.object().spec().string("town")),
                        new LanternReconciler())
                .wokenBy(darkness)
                .doing(LanternReconciler.Light.class, this::light);
        var door = open(place);
        return Running.of(controller)
                .serving(Endpoint.authorized(
                        "/lanterns", _ -> WebResponse.text(200, lanterns.list().size() + " lanterns\n")))
                .readyWhen(new Running.Check("matches", Optional::empty))
                .closing(darkness::close)
                .closing(door::close);
    }

    private Json light(LanternReconciler.Light light) {
        lit.add(light.town());
        return Json.Null.NULL;
    }

    /// For whoever wants to see the light without being known here.
    private dev.towtank.cluster.web.WebDoor.Open open(Place place) {
        try {
            return place.web().open(Port.plain("lanterns", _ -> WebResponse.text(200, String.join(" ", lit))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
