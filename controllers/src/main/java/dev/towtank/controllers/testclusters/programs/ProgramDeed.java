package dev.towtank.controllers.testclusters.programs;

import dev.towtank.cluster.Deed;
import dev.towtank.model.Json;

/// What a program is to do with a cluster. What comes of it has the field `kubeconfig`, which is secret, or `error`
/// with what the program said as `log`.
public sealed interface ProgramDeed extends Deed {

    /// `kind` or `k3d`.
    String program();

    /// Of the cluster.
    String name();

    /// Makes it, unless it is there, and tells how to get in.
    record Make(String program, String name) implements ProgramDeed {
        @Override
        public Json.Obj json() {
            return Json.Obj.of("make", Json.of(name), "with", Json.of(program));
        }
    }

    /// Takes it away, if it is there.
    record Remove(String program, String name) implements ProgramDeed {
        @Override
        public Json.Obj json() {
            return Json.Obj.of("remove", Json.of(name), "with", Json.of(program));
        }
    }
}
