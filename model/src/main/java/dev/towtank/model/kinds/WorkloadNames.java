package dev.towtank.model.kinds;

import dev.towtank.model.Json;
import dev.towtank.model.Names;
import java.util.List;

/// Advice about names of workloads, which become part of the names of their pods.
public final class WorkloadNames {

    private WorkloadNames() {}

    /// Names that are legal but make odd host names.
    public static List<String> warnings(Json.Obj workload) {
        var problems = Names.dnsLabel(workload.string("metadata", "name"));
        return problems.isEmpty()
                ? List.of()
                : List.of("metadata.name: this is used in Pod names and hostnames, which can result in surprising"
                        + " behavior; a DNS label is recommended: [" + String.join(" ", problems) + "]");
    }
}
