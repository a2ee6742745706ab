package dev.towtank.apiserver.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.apiserver.Params;
import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.User;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.server.ApiServer;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Schemas;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Requests about every kind, right by its schema or nearly so: the server does what it is told or says why not, and
/// never
/// fails.
@Timeout(3600)
class RequestsFuzzTest {

    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
    private static final User ADMIN = User.of("fuzz", User.MASTERS);
    private static final List<String> PATCHES = List.of(
            "application/merge-patch+json",
            "application/strategic-merge-patch+json",
            "application/json-patch+json",
            "application/apply-patch+yaml");

    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: boats.sea.example.com}
            spec:
              group: sea.example.com
              scope: Namespaced
              names: {plural: boats, singular: boat, kind: Boat, shortNames: [bt], categories: [all]}
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {status: {}, scale: {specReplicasPath: .spec.crew, statusReplicasPath: .status.crew}}
                additionalPrinterColumns:
                - {name: Hull, type: string, jsonPath: '.spec.holds[?(@.name=="a")].size'}
                - {name: Crew, type: integer, jsonPath: .spec.crew}
                - {name: Born, type: date, jsonPath: .metadata.creationTimestamp}
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        required: [hull]
                        properties:
                          hull: {type: string, enum: [wood, steel], default: wood}
                          name: {type: string, pattern: '^(a+)+$', maxLength: 20}
                          crew: {type: integer, minimum: 1, maximum: 100, default: 2, format: int32}
                          draught: {type: number, multipleOf: 0.5}
                          port: {x-kubernetes-int-or-string: true}
                          built: {type: string, format: date-time}
                          tags: {type: array, items: {type: string}, x-kubernetes-list-type: set, maxItems: 10}
                          holds:
                            type: array
                            x-kubernetes-list-type: map
                            x-kubernetes-list-map-keys: [name]
                            items:
                              type: object
                              required: [name]
                              properties: {name: {type: string, maxLength: 10}, size: {type: integer}}
                          extra: {type: object, x-kubernetes-preserve-unknown-fields: true}
                          pod: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
                          sizes: {type: object, additionalProperties: {type: integer, nullable: true}}
                        oneOf: [{required: [crew]}, {required: [port]}]
                        x-kubernetes-validations:
                        - {rule: "self.hull != 'wood' || self.crew <= 10", message: too many for wood}
                        - {rule: "!has(oldSelf.hull) || self.hull == oldSelf.hull", messageExpression: "'was ' + oldSelf.hull"}
                        - {rule: "!has(self.holds) || self.holds.all(h, !has(h.size) || h.size < 10)"}
                      status: {type: object, properties: {crew: {type: integer}}}
            """;

    private static final String BOAT = """
            {apiVersion: sea.example.com/v1, kind: Boat, metadata: {name: a}, spec: {hull: steel, name: aaa, crew: 3,
             draught: 1.5, port: 80, built: "2026-03-01T10:00:00Z", tags: [a, b], holds: [{name: a, size: 1}, {name: b}],
             extra: {a: 1}, pod: {apiVersion: v1, kind: Pod, metadata: {name: x}}, sizes: {a: 1, b: null}}}
            """;

    private final ApiServer server = new ApiServer(
            JournaledStore.inMemory(), keys(), "PEM", "a-token-for-nobody", InstantSource.fixed(NOW), new Random(3));
    private int accepted;

    private static KeyPair keys() {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(256);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void everyKindIsWrittenOrRefused() {
        run(0, 700);
        assertThat(accepted).isGreaterThan(50);
    }

    @Test
    @Tag("deep")
    void everyKindIsWrittenOrRefusedForLong() {
        run(Long.getLong("fuzz.from", 1_000_000), Integer.getInteger("fuzz.requests", 200_000));
    }

    private void run(long from, int count) {
        var findings = new Findings();
        boolean enough = false;
        try (server) {
            for (long seed = from; seed < from + count && !enough; seed++) {
                if (seed % 500 == 0) {
                    define();
                }
                try {
                    trial(new Mutator(seed));
                } catch (Throwable e) {
                    enough = findings.add(seed, e);
                }
            }
        }
        findings.report();
    }

    // Mutations may have taken it away, or made something else of it.
    private void define() {
        var target = new Target("apiextensions.k8s.io", "v1", "customresourcedefinitions", "", "", "");
        attempt(Verb.DELETE, named(target, "boats.sea.example.com"), Params.NONE, Body.None.NONE);
        attempt(Verb.CREATE, target, Params.NONE, Body.of(YamlText.parse(DEFINITION)));
    }

    private void trial(Mutator mutator) {
        var random = mutator.random;
        var served = mutator.any(server.catalog().served(LogicalCluster.DEFAULT));
        if (mutator.chance(8)) {
            served = server.catalog()
                    .find(LogicalCluster.DEFAULT, "sea.example.com", "v1", "boats")
                    .orElse(served);
        }
        var kind = served.kind();
        var namespace = kind.isNamespaced() ? "default" : "";
        var collection = new Target(kind.group(), kind.version(), kind.plural(), namespace, "", "");
        var name = "fuzz-" + random.nextInt(3);
        var object = object(mutator, served, name);
        attempt(Verb.CREATE, collection, params(mutator), body(mutator, object));
        for (int i = random.nextInt(4); i > 0; i--) {
            var one = named(collection, mutator.chance(30) ? mutator.any(Mutator.WORDS) : name);
            var subresource =
                    mutator.chance(3) ? mutator.any(List.of("status", "scale", "finalize", "eviction", "x")) : "";
            var target =
                    new Target(one.group(), one.version(), one.resource(), one.namespace(), one.name(), subresource);
            switch (random.nextInt(5)) {
                case 0 -> attempt(Verb.UPDATE, target, params(mutator), body(mutator, mutator.changed(object)));
                case 1, 2 -> attempt(Verb.PATCH, target, params(mutator), patch(mutator, object));
                case 3 -> attempt(Verb.GET, target, params(mutator), Body.None.NONE);
                default -> attempt(Verb.DELETE, target, params(mutator), Body.of(mutator.value(2)));
            }
        }
        attempt(Verb.LIST, collection, params(mutator), Body.None.NONE);
    }

    private static Target named(Target target, String name) {
        return new Target(target.group(), target.version(), target.resource(), target.namespace(), name, "");
    }

    private static Json.Obj object(Mutator mutator, Served served, String name) {
        var kind = served.kind();
        Json made;
        if (kind.kind().equals("CustomResourceDefinition")) {
            made = mutator.changed(YamlText.parse(DEFINITION.replace("boats", "b" + mutator.random.nextInt(3))));
        } else if (kind.kind().equals("Boat")) {
            made = YamlText.parse(BOAT);
        } else {
            made = Schemas.builtin()
                    .find(kind)
                    .<Json>map(type -> new ObjectGenerator(mutator).object(type, 5))
                    .orElse(Json.Obj.EMPTY);
        }
        if (mutator.chance(3)) {
            made = mutator.changed(made);
        }
        var object = made instanceof Json.Obj obj ? obj : Json.Obj.EMPTY;
        var metadata = object.get("metadata") instanceof Json.Obj given && mutator.chance(10) ? given : Json.Obj.EMPTY;
        var known = object.with("apiVersion", Json.of(kind.apiVersion()))
                .with("kind", Json.of(kind.kind()))
                .with("metadata", metadata.with("name", Json.of(name)));
        return kind.kind().equals("CustomResourceDefinition")
                ? known.with(
                        "metadata",
                        Json.Obj.of(
                                "name",
                                object.object("metadata").get("name") == null
                                        ? Json.of(name)
                                        : object.object("metadata").get("name")))
                : known;
    }

    private static Body body(Mutator mutator, Json json) {
        if (mutator.chance(4)) {
            var text = JsonText.write(json);
            return new Body.Text(
                    mutator.chance(2) ? "application/yaml" : "application/json",
                    mutator.bytes(text.getBytes(java.nio.charset.StandardCharsets.UTF_8), List.of(text)));
        }
        return Body.of(json);
    }

    private static Body patch(Mutator mutator, Json.Obj object) {
        var type = mutator.any(PATCHES);
        if (type.equals("application/json-patch+json")) {
            var operations = new java.util.ArrayList<Json>();
            for (int i = mutator.random.nextInt(1, 4); i > 0; i--) {
                operations.add(Json.Obj.builder()
                        .put("op", mutator.any(List.of("add", "remove", "replace", "move", "copy", "test", "x")))
                        .put(
                                "path",
                                mutator.any(List.of(
                                        "", "/spec", "/metadata/labels", "/spec/a", "/status/-", "/metadata/name")))
                        .put("from", mutator.any(List.of("/spec", "/metadata", "/kind", "")))
                        .put("value", mutator.value(3))
                        .build());
            }
            return new Body.Tree(type, new Json.Arr(operations));
        }
        return new Body.Tree(type, mutator.changed(object));
    }

    private static Params params(Mutator mutator) {
        if (!mutator.chance(4)) {
            return Params.of("fieldManager", "fuzz");
        }
        var name = mutator.any(List.of(
                "labelSelector",
                "fieldSelector",
                "limit",
                "continue",
                "resourceVersion",
                "resourceVersionMatch",
                "dryRun",
                "fieldValidation",
                "force",
                "propagationPolicy",
                "gracePeriodSeconds"));
        var value = mutator.any(
                List.of("", "a=b", "!a", "metadata.name=x", "-1", "2", "All", "Strict", "true", "x y", "Exact"));
        return new Params(Map.of(name, List.of(value), "fieldManager", List.of("fuzz")));
    }

    private void attempt(Verb verb, Target target, Params params, Body body) {
        try {
            var answer = server.api().handle(new Call(ADMIN, LogicalCluster.DEFAULT, verb, target, params, body));
            accepted++;
            read(answer);
        } catch (StatusError e) {
            assertThat(e.getMessage()).isNotEmpty();
            // Of a revision that is no number, Kubernetes says so too.
            if (!e.getMessage().startsWith("resourceVersion: Invalid value: ")) {
                assertThat(e.reason()).as(e.getMessage()).isNotEqualTo(StatusError.Reason.INTERNAL_ERROR);
            }
        }
    }

    /// Whatever was accepted can be shown.
    private static void read(Answer answer) {
        switch (answer) {
            case Answer.One one -> {
                JsonText.parse(one.object().bytes());
                one.kind()
                        .ifPresent(kind -> kind.columns()
                                .forEach(column -> column.cell().of(one.object().tree(), NOW)));
            }
            case Answer.Many many ->
                many.items()
                        .forEach(item -> many.kind()
                                .columns()
                                .forEach(column -> column.cell().of(item.tree(), NOW)));
            case Answer.Watching watching -> watching.stream().close();
            case Answer.Connected _ -> {}
            case Answer.Proxied _ -> {}
        }
    }
}
