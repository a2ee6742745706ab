package dev.towtank.app.report;

import dev.towtank.model.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/// What a Node says about the machine and about how it fences containers in, for people.
public final class NodeFacts {

    private NodeFacts() {}

    public static Map<String, String> of(Json.Obj node) {
        var facts = new LinkedHashMap<String, String>();
        var info = node.object("status", "nodeInfo");
        facts.put(
                "Node",
                node.string("metadata", "name") + ", " + info.string("osImage") + ", " + info.string("kernelVersion")
                        + ", " + info.string("architecture"));
        facts.put("Containers", info.string("containerRuntimeVersion"));
        node.objects("status", "conditions").stream()
                .filter(condition -> condition.string("type").equals("Isolated"))
                .findFirst()
                .ifPresent(condition ->
                        facts.put("Sandbox", condition.string("reason") + ". " + condition.string("message")));
        facts.values().removeIf(String::isEmpty);
        return facts;
    }
}
