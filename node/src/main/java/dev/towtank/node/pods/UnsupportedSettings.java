package dev.towtank.node.pods;

import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.List;

/// What a pod asks for that no container gets here, as it would be a way out of it: the pod runs without, and is told.
final class UnsupportedSettings {

    private UnsupportedSettings() {}

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

    static String message(List<String> fields) {
        return "this node gives no container rights over the machine, so it runs without " + String.join(", ", fields);
    }
}
