package dev.towtank.controllers.pipelinesascode.source;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Meters;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.testing.FakeCluster;
import dev.towtank.controllers.pipelinesascode.api.PacKinds;
import dev.towtank.controllers.pipelinesascode.events.Payloads;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.Secrets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// A cluster without anything that runs, and a forge that is asked and told over HTTP.
class EventWorkCase {

    static final InstantSource NOON = InstantSource.fixed(Instant.parse("2026-01-01T12:00:00Z"));
    static final String RUN = """
            apiVersion: tekton.dev/v1
            kind: PipelineRun
            metadata:
              name: %s
              annotations: {pipelinesascode.tekton.dev/on-event: "[push, pull_request]", pipelinesascode.tekton.dev/on-target-branch: main%s}
            spec:
              params: [{name: who, value: "{{ who }} {{ revision }}"}]
              pipelineSpec: {tasks: [{name: a, taskSpec: {steps: [{image: b, script: c}]}}]}
            """;

    final FakeCluster cluster = new FakeCluster(NOON);
    PretendForge forge;

    @BeforeEach
    void open() throws IOException {
        forge = new PretendForge();
        forge.answers.put("/api/v1/repos/team/app/collaborators/alice", "{}");
        forge.answers.put("/api/v3/repos/team/app/collaborators/alice", "{}");
    }

    @AfterEach
    void close() {
        forge.close();
    }

    /// What is there at the moment.
    Cache all(Kind<?> kind) {
        return new Cache() {
            @Override
            public Optional<Resource> get(ObjectName name) {
                return cluster.get(kind, name);
            }

            @Override
            public List<Resource> list() {
                return cluster.list(kind, Selection.in(LogicalCluster.DEFAULT)).items();
            }

            @Override
            public List<Resource> by(Index index, String key) {
                return list().stream()
                        .filter(each -> index.keys().apply(each).contains(key))
                        .toList();
            }

            @Override
            public int count(Index index, String key) {
                return by(index, key).size();
            }
        };
    }

    static Resource object(String yaml) {
        return Resource.of((Json.Obj) YamlText.parse(yaml));
    }

    void secret(String namespace, String name, Map<String, String> data) {
        var encoded = Json.Obj.builder();
        data.forEach((key, value) ->
                encoded.put(key, Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))));
        var secret =
                object("{apiVersion: v1, kind: Secret, metadata: {name: " + name + ", namespace: " + namespace + "}}");
        cluster.given(Secrets.KIND, secret.with(secret.json().with("data", encoded.build())));
    }

    void settings(String yaml) {
        cluster.given(
                ConfigMaps.KIND,
                object(
                        "{apiVersion: v1, kind: ConfigMap, metadata: {name: pipelines-as-code, namespace: pipelines-as-code}, data: "
                                + yaml + "}"));
    }

    /// @param more of its spec
    Resource repository(String type, String more) {
        secret("team", "forge", Map.of("provider.token", "t0ken"));
        var provider = type.isEmpty() ? "" : "git_provider: {type: " + type + ", secret: {name: forge}}, ";
        return cluster.given(PacKinds.REPOSITORY, object("""
                apiVersion: pipelinesascode.tekton.dev/v1alpha1
                kind: Repository
                metadata: {name: app, namespace: team}
                spec: {%s%s url: "%s/team/app"}
                """.formatted(provider, more, forge.address())));
    }

    Configuration configuration() {
        return new Configuration(cluster, all(ConfigMaps.KIND), all(PacKinds.REPOSITORY), NOON, Meters.NONE);
    }

    EventWork work() {
        return new EventWork(cluster, all(PacKinds.PIPELINE_RUN), configuration());
    }

    List<String> sent(Resource repository, String header, String type, String body)
            throws EventWork.Refused, InterruptedException {
        var text = body.replace("URL", forge.address() + "/team/app");
        try {
            var headers = Map.of(header, type);
            var event = Payloads.read(Payloads.forge(headers).orElseThrow(), JsonText.parseObject(text), headers);
            return work().done(repository, event);
        } catch (Payloads.Unsupported e) {
            throw new IllegalStateException(e);
        }
    }

    static String push(String more) {
        return """
                {"ref":"refs/heads/main","after":"c0ffee","head_commit":{"id":"c0ffee","message":"a change"},
                 "sender":{"login":"alice"},"commits":[{"added":["a.txt"],"modified":[],"removed":[]}]%s,
                 "repository":{"name":"app","owner":{"login":"team"},"html_url":"URL","default_branch":"main"}}""".formatted(more);
    }

    static String pull(String author) {
        return """
                {"action":"opened","sender":{"login":"%1$s"},
                 "pull_request":{"number":7,"title":"t","user":{"login":"%1$s"},"head":{"sha":"feed1","ref":"new","repo":{"html_url":"URL/fork"}},
                  "base":{"ref":"main","repo":{"html_url":"URL"}}},
                 "repository":{"name":"app","owner":{"login":"team"},"html_url":"URL","default_branch":"main"}}""".formatted(author);
    }

    String comment(String author, String text) {
        forge.answers.put(
                "/api/v1/repos/team/app/pulls/7",
                JsonText.write(JsonText.parseObject(pull("stranger").replace("URL", forge.address() + "/team/app"))
                        .object("pull_request")));
        return """
                {"action":"created","sender":{"login":"%s"},"issue":{"number":7,"pull_request":{}},"comment":{"body":%s},
                 "repository":{"name":"app","owner":{"login":"team"},"html_url":"URL","default_branch":"main"}}""".formatted(author, JsonText.write(Json.of(text)));
    }

    List<Resource> runs() {
        return all(PacKinds.PIPELINE_RUN).list();
    }

    String value(int run) {
        return runs().get(run).spec().objects("params").getFirst().string("value");
    }

    static String annotation(Resource run, String name) {
        return run.annotations().getOrDefault(PacKinds.PREFIX + name, "");
    }
}
