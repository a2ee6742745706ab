package dev.towtank.node.pods;

import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/// What a pod asks for that no container gets here, as it would be a way out of it: the pod runs without, and is told.
final class UnsupportedSettings {

    /// What builders of images ask for elsewhere.
    private static final Set<String> OF_BUILDERS = Set.of("SETFCAP", "SYS_ADMIN", "ALL");

    private UnsupportedSettings() {}

    /// Whether a container is to build images, and may where the server allows it. Pods of other logical clusters than
    /// the first are those of people who were given no more than that cluster.
    static boolean isBuilder(Resource pod, Json.Obj container) {
        var context = container.object("securityContext");
        var added = context.object("capabilities").array("add").strings();
        return pod.cluster().equals(LogicalCluster.DEFAULT)
                && (context.flag("privileged") || !Collections.disjoint(added, OF_BUILDERS));
    }

    /// By their fields.
    static List<String> of(Resource pod) {
        var fields = new ArrayList<String>();
        for (var shared : List.of("hostPID", "hostIPC")) {
            if (pod.spec().flag(shared)) {
                fields.add("spec." + shared);
            }
        }
        if (!pod.spec().objects("securityContext", "sysctls").isEmpty()) {
            fields.add("spec.securityContext.sysctls");
        }
        for (var container : Containers.all(pod)) {
            var context = container.object("securityContext");
            var whose = "securityContext of container " + Containers.name(container) + ": ";
            if (context.flag("privileged")) {
                fields.add(whose + "privileged");
            }
            if (!context.object("capabilities").array("add").strings().isEmpty()) {
                fields.add(whose + "capabilities.add");
            }
        }
        return fields;
    }

    /// @param builders whether those that build images may do so
    static String message(List<String> fields, boolean builders) {
        return "this node gives no container rights over the machine, so it runs without " + String.join(", ", fields)
                + (builders ? "; it may make mounts of its own, to build images" : "");
    }
}
