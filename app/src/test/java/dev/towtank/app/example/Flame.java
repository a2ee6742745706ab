package dev.towtank.app.example;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.pods.ContainerProgram;
import dev.towtank.cluster.pods.RunningContainer;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.function.Consumer;

/// Burns for the lantern that a pod is labelled with. The node plays it: there is neither a process nor an image.
record Flame(Cluster cluster, Consumer<Change.Event> events) implements ContainerProgram {

    static final String LABEL = "example.towtank.dev/lantern";

    @Override
    public boolean runs(Resource pod, Json.Obj container) {
        return pod.labels().containsKey(LABEL)
                && container.array("command").strings().equals(List.of("flame"));
    }

    @Override
    public boolean needsImage(Resource pod, Json.Obj container) {
        return false;
    }

    @Override
    public int run(RunningContainer container) {
        var pod = container.pod();
        var name = new ObjectName(pod.cluster(), pod.namespace(), pod.labels().getOrDefault(LABEL, ""));
        var lantern = cluster.get(LanternReconciler.LANTERNS, name);
        if (lantern.isEmpty()) {
            container.log("there is no lantern " + name.name());
            return 1;
        }
        container.log("a light in " + lantern.get().spec().string("town"));
        events.accept(new Change.Event(
                lantern.get(), Change.Event.Severity.NORMAL, "Burnt", "the flame of " + pod.name() + " has burnt"));
        return 0;
    }
}
