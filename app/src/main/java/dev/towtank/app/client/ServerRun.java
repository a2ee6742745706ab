package dev.towtank.app.client;

import dev.towtank.app.report.NodeFacts;
import dev.towtank.app.report.RunSource;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A run as a server has it.
public final class ServerRun implements RunSource {
    /// More than anybody reads on a page; 'towtank logs' has all.
    private static final int MOST_LINES = 5_000;

    private static final int LONGEST_LOG = 256 << 10;
    private static final int LONGEST_TOGETHER = 16 << 20;

    private final ApiClient client;
    private final String namespace;
    private final Json.Obj run;
    private final List<Json.Obj> children;
    private int read;

    private ServerRun(ApiClient client, String namespace, Json.Obj run, List<Json.Obj> children) {
        this.client = client;
        this.namespace = namespace;
        this.run = run;
        this.children = children;
    }

    /// @param word as in [RunLookup]
    public static ServerRun find(ApiClient client, String namespace, String word) {
        var lookup = new RunLookup(client, namespace);
        var found = lookup.run(word);
        var children = new ArrayList<Json.Obj>();
        if (found.isPipelineRun()) {
            children.addAll(lookup.taskRuns(found.object()));
            found.object().objects("status", "childReferences").stream()
                    .filter(child -> child.string("kind").equals("CustomRun"))
                    .flatMap(child -> client
                            .find("/apis/" + child.string("apiVersion") + "/namespaces/"
                                    + ResourceType.segment(namespace) + "/customruns/"
                                    + ResourceType.segment(child.string("name")))
                            .stream())
                    .forEach(children::add);
        }
        var typed = found.object().with("kind", Json.of(found.type().kind()));
        return new ServerRun(client, namespace, typed, List.copyOf(children));
    }

    @Override
    public Json.Obj run() {
        return run;
    }

    @Override
    public List<Json.Obj> children() {
        return children;
    }

    @Override
    public Log log(String pod, String container) {
        if (read > LONGEST_TOGETHER) {
            return Log.none("Left out, because this page is long enough: 'towtank logs' has it.");
        }
        var path = ResourceType.PODS.path(namespace, pod) + "/log?container=" + ResourceType.segment(container)
                + "&tailLines=" + MOST_LINES;
        try (var in = client.stream(path)) {
            var kept = end(in.readNBytes(LONGEST_TOGETHER));
            read += kept.length();
            return new Log(kept, kept.length() == LONGEST_LOG || kept.lines().count() >= MOST_LINES, "");
        } catch (StatusError e) {
            return Log.none(e.is(StatusError.Reason.NOT_FOUND) ? "Its pod is gone, and the log with it." : e.text());
        } catch (IOException e) {
            return Log.none("The log could not be read: " + e.getMessage());
        }
    }

    private static String end(byte[] bytes) {
        var text = new String(bytes, StandardCharsets.UTF_8);
        return text.length() <= LONGEST_LOG ? text : text.substring(text.length() - LONGEST_LOG);
    }

    @Override
    public Map<String, String> surroundings() {
        var facts = new LinkedHashMap<String, String>();
        find("/version").ifPresent(version -> facts.put("Kubernetes API", version.string("gitVersion")));
        var release = children.stream()
                .map(child -> child.string("metadata", "annotations", "pipeline.tekton.dev/release"))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse(run.string("metadata", "annotations", "pipeline.tekton.dev/release"));
        facts.put("Tekton", release);
        find(ResourceType.NODES.path(""))
                .flatMap(list -> list.objects("items").stream().findFirst())
                .ifPresent(node -> facts.putAll(NodeFacts.of(node)));
        facts.values().removeIf(String::isEmpty);
        return facts;
    }

    /// What a user may not see is left out: the page is about their run.
    private Optional<Json.Obj> find(String path) {
        try {
            return client.find(path);
        } catch (StatusError e) {
            return Optional.empty();
        }
    }
}
