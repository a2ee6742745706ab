package dev.towtank.app.example;

import static dev.towtank.app.example.LanternReconciler.LANTERNS;

import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Definitions;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.Gate;
import dev.towtank.cluster.Informer;
import dev.towtank.cluster.Meters;
import dev.towtank.cluster.Observer;
import dev.towtank.cluster.Outside;
import dev.towtank.cluster.Permission;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.cluster.web.Endpoint;
import dev.towtank.cluster.web.WebDoor;
import dev.towtank.cluster.web.WebDoor.Port;
import dev.towtank.cluster.web.WebResponse;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.crd.KindBehaviour;
import dev.towtank.model.kinds.core.Pods;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Lanterns that are lit when it is dark.
final class LanternFeature implements Feature {

    private final Outside.Reader<String, Boolean> sky;

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
    public List<KindBehaviour> behaviours() {
        return List.of(new LanternBehaviour());
    }

    @Override
    public List<Gate> gates() {
        return List.of(new LanternGate());
    }

    @Override
    public String metricsPrefix() {
        return "lanterns";
    }

    @Override
    public List<Permission> permissions() {
        return Permission.read("""
                read | example.towtank.dev | lanterns
                update patch | example.towtank.dev | lanterns/status
                create patch | core | configmaps
                read | core | pods
                read | insects.example.com | *
                """);
    }

    @Override
    public Running start(Place place) {
        var flames = new Flames(place.pods(), place.caches().of(Pods.KIND));
        var ledger = new Ledger(place.directory());
        var darkness = new Outside<>("darkness", sky, Outside.Limits.USUAL, place.timers());
        var insects = new Insects(place.follower());
        var door = open(place, ledger);
        return Running.of(controller(darkness, insects, ledger))
                .observing(List.of(Observer.of(LANTERNS, counting(place.meters()))))
                .serving(Endpoint.authorized("/lanterns", _ -> WebResponse.text(200, flames.report(door.port()))))
                .playing(new Flame(place.cluster(), place.events()))
                .readyWhen(new Running.Check("ledger", ledger::problem))
                .closing(darkness::close)
                .closing(insects::close)
                .closing(door::close);
    }

    static Controller<?, ?> controller(Outside<String, Boolean> darkness, Insects insects, Ledger ledger) {
        return Controller.of(
                        "lantern-lighter",
                        LANTERNS,
                        lantern -> new LanternReconciler.Night(
                                darkness.ask(
                                        lantern.name(), lantern.object().spec().string("town")),
                                insects.around(lantern.object())),
                        new LanternReconciler())
                .wokenBy(darkness)
                .wokenBy(insects)
                .doing(LanternReconciler.Light.class, light -> {
                    ledger.add(light.town());
                    return Json.Null.NULL;
                });
    }

    private static Informer.Handler counting(Meters meters) {
        var lit = meters.counter("lanterns_lit_total", "How often a lantern was lit");
        return (before, now) -> {
            if (isLit(now) && !isLit(before)) {
                lit.count();
            }
        };
    }

    private static boolean isLit(@Nullable Resource lantern) {
        return lantern != null && lantern.status().string("phase").equals("Lit");
    }

    /// For whoever wants to know the towns without being known here.
    private static WebDoor.Open open(Place place, Ledger ledger) {
        try {
            return place.web()
                    .open(Port.plain("lanterns", _ -> WebResponse.text(200, String.join(" ", ledger.towns()))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
