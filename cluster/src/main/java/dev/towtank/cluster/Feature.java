package dev.towtank.cluster;

import dev.towtank.model.crd.KindBehaviour;
import java.util.List;
import java.util.Map;

/// The plug: something the platform can do, with the kinds it adds and all that makes them work. One package and one
/// line
/// where features are listed; nothing else outside of it knows its name.
///
/// Until it is started it is a value: kinds, rules and rights. What is heavy is loaded when it is first used.
public interface Feature {

    /// In lower case; the name of its identity, its directory and its metrics.
    String name();

    /// Objects that the feature cannot do without: definitions of its kinds, roles for those who use them, and
    /// settings.
    ///
    /// The server installs them when it starts and they have changed, and brings those outside of namespaces back
    /// into
    /// this form.
    default Definitions definitions() {
        return Definitions.NONE;
    }

    /// What its kinds do beyond their schemas.
    default List<KindBehaviour> behaviours() {
        return List.of();
    }

    /// Who is asked about writes, with the state of the world at hand.
    default List<Gate> gates() {
        return List.of();
    }

    /// How dashboards of the project that it stands for begin the names of its controllers' metrics; empty for none.
    default String metricsPrefix() {
        return "";
    }

    /// Whether its kinds and roles are there in every logical cluster, at no cost for any of them. One that is about
    /// the
    /// server as a whole has its kinds in the default cluster only.
    default boolean isEverywhere() {
        return true;
    }

    /// What its own identity may do, in every logical cluster. It can read only caches of kinds that it may read. To
    /// write Events it may anyway.
    default List<Permission> permissions() {
        return List.of();
    }

    /// Programs that its pods need and no machine has: the name by which the map of images knows each, and its file on
    /// the
    /// class path, relative to the feature.
    default Map<String, String> programs() {
        return Map.of();
    }

    /// What it runs in this place. Every cache is asked for here, not later while deciding: what is asked for here is
    /// complete before the first decision.
    Running start(Place place);
}
