package dev.towtank.apiserver.server;

import static dev.towtank.apiserver.server.CustomServer.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.apiserver.store.Store;
import dev.towtank.cluster.Definitions;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import dev.towtank.model.crd.KindBehaviour;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Kinds that a feature brings with it: their definitions, and what they do beyond their schemas.
class OwnKindsTest {

    private static final String CRD = "apiextensions.k8s.io/v1/~customresourcedefinitions/kettles.example.com";

    private record Kettles(Definitions definitions) implements Feature {
        @Override
        public String name() {
            return "kettles";
        }

        @Override
        public List<KindBehaviour> behaviours() {
            return List.of(new KettleBehaviour());
        }

        @Override
        public Running start(Place place) {
            return Running.NOTHING;
        }
    }

    private static final class KettleBehaviour implements KindBehaviour {
        @Override
        public String group() {
            return "example.com";
        }

        @Override
        public String kind() {
            return "Kettle";
        }

        @Override
        public Json.Obj defaults(Json.Obj object) {
            return object.object("spec").has("litres")
                    ? object
                    : object.with(
                            List.of("spec", "litres"),
                            Json.of(object.string("spec", "size").length()));
        }

        @Override
        public Json.Obj prune(Json.Obj object, Consumer<String> unknownField) {
            if (object.at("spec", "lid", "rust") == null) {
                return object;
            }
            unknownField.accept("spec.lid.rust");
            return object.without(List.of("spec", "lid", "rust"));
        }

        @Override
        public Json.Obj prepareUpdate(Json.Obj object, Json.Obj old) {
            return object.with(List.of("spec", "changes"), Json.of(old.integer("spec", "changes") + 1));
        }

        @Override
        public Optional<StatusError> unreadable(Json.Obj object) {
            return object.object("spec").get("size") instanceof Json.Bool
                    ? Optional.of(KindBehaviour.denied("example.com", "a size is no yes or no"))
                    : Optional.empty();
        }

        @Override
        public Optional<StatusError> refusal(Json.Obj object, Json.@Nullable Obj old) {
            if (old != null && !object.string("spec", "size").equals(old.string("spec", "size"))) {
                return Optional.of(KindBehaviour.denied("validation.example.com", "a kettle does not grow"));
            }
            return object.integer("spec", "litres") > 9
                    ? Optional.of(KindBehaviour.denied("validation.example.com", "too large"))
                    : Optional.empty();
        }

        @Override
        public List<String> warnings(Json.Obj object) {
            return object.string("spec", "size").equals("huge") ? List.of("that is heavy") : List.of();
        }

        @Override
        public Optional<Converter> converter() {
            return Optional.of((object, from, to) -> object.with(
                            List.of("metadata", "annotations", "converted"), Json.of(from + " to " + to))
                    .with(List.of("metadata", "uid"), Json.of("another")));
        }
    }

    private static Kettles feature() {
        return new Kettles(Definitions.of(OwnKindsTest.class, "kettles.yaml"));
    }

    private static String kettle(String version, String spec) {
        return "{apiVersion: example.com/" + version + ", kind: Kettle, metadata: {name: k}, spec: " + spec + "}";
    }

    @Test
    void theServerStartsWithTheDefinitionsOfItsFeatures() {
        try (var server = new CustomServer(feature())) {
            assertThat(server.get(CRD).string("spec", "names", "listKind")).isEqualTo("KettleList");
            assertThat(server.get("rbac.authorization.k8s.io/v1/~clusterroles/kettle-keeper")
                            .objects("rules"))
                    .hasSize(1);
        }
    }

    @Test
    void definitionsAreBroughtBackAtTheNextStartAndWrittenOnlyWhenTheyDiffer() {
        Store store = JournaledStore.inMemory();
        new CustomServer(store, feature());
        long revision = store.revision();
        var again = new CustomServer(store, feature());
        assertThat(store.revision()).isEqualTo(revision);
        again.patch(CRD, "{metadata: {labels: {mine: 'yes'}}, spec: {names: {shortNames: [kt]}}}");
        again.patch("rbac.authorization.k8s.io/v1/~clusterroles/kettle-keeper", "{rules: []}");
        try (var third = new CustomServer(store, feature())) {
            assertThat(third.get(CRD).at("metadata", "labels", "mine")).isEqualTo(Json.of("yes"));
            assertThat(third.get(CRD).array("spec", "names", "shortNames").size())
                    .isZero();
            assertThat(third.get("rbac.authorization.k8s.io/v1/~clusterroles/kettle-keeper")
                            .objects("rules"))
                    .hasSize(1);
        }
    }

    @Test
    void aRoleWhoseUserKeepsItIsLeftAlone() {
        Store store = JournaledStore.inMemory();
        new CustomServer(store, feature()).patch("rbac.authorization.k8s.io/v1/~clusterroles/kettle-keeper", """
                        metadata: {annotations: {rbac.authorization.kubernetes.io/autoupdate: 'false'}}
                        rules: []
                        """);
        try (var again = new CustomServer(store, feature())) {
            assertThat(again.get("rbac.authorization.k8s.io/v1/~clusterroles/kettle-keeper")
                            .objects("rules"))
                    .isEmpty();
        }
    }

    @Test
    void aBrokenDefinitionIsOurMistakeAndStopsTheStart() {
        var broken = YamlText.parse("{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition,"
                + " metadata: {name: broken.example.com}}");
        assertThatIllegalStateException()
                .isThrownBy(() -> new CustomServer(new Kettles(Definitions.of(List.of((Json.Obj) broken)))))
                .withMessageStartingWith("cannot install CustomResourceDefinition broken.example.com: ");
    }

    @Test
    void behaviourDropsWhatTheSchemaLetsIn() {
        try (var server = new CustomServer(feature())) {
            var rusty = kettle("v1", "{size: small, lid: {rust: much, knob: 1}}");
            var body = new Body.Text("application/yaml", rusty.getBytes(StandardCharsets.UTF_8));
            var strict =
                    refused(() -> server.handle(Verb.CREATE, "example.com/v1/kettles", "fieldValidation=Strict", body));
            assertThat(strict.code()).isEqualTo(400);
            assertThat(strict.text()).endsWith("strict decoding error: unknown field \"spec.lid.rust\"");

            assertThat(server.handle(Verb.CREATE, "example.com/v1/kettles", "", body)
                            .warnings())
                    .containsExactly("unknown field \"spec.lid.rust\"");
            assertThat(server.get("example.com/v1/kettles/k").object("spec", "lid"))
                    .isEqualTo(Json.Obj.of("knob", Json.of(1)));
            assertThat(server.patch("example.com/v1/kettles/k", "{spec: {lid: {rust: more}}}")
                            .object("spec", "lid")
                            .has("rust"))
                    .isFalse();
        }
    }

    @Test
    void behaviourFillsInWhatTheSchemaLeavesOpen() {
        try (var server = new CustomServer(feature())) {
            var made = server.create("example.com/v1/kettles", kettle("v1", "{size: small}"));
            assertThat(made.at("spec", "litres")).isEqualTo(Json.of(5));
            assertThat(made.at("spec", "colour")).isEqualTo(Json.of("steel"));
        }
    }

    @Test
    void behaviourRefusesInItsOwnWordsAfterTheSchema() {
        try (var server = new CustomServer(feature())) {
            var refusal = refused(() -> server.create("example.com/v1/kettles", kettle("v1", "{litres: 10}")));
            assertThat(refusal.code()).isEqualTo(400);
            assertThat(refusal.text())
                    .isEqualTo("admission webhook \"validation.example.com\" denied the request: too large");
            assertThat(refused(() -> server.create("example.com/v1/kettles", kettle("v1", "{litres: 11, size: 5}")))
                            .code())
                    .isEqualTo(422);
        }
    }

    @Test
    void whatCannotBeReadIsToldBeforeTheSchemaIsAsked() {
        try (var server = new CustomServer(feature())) {
            var refusal = refused(() -> server.create("example.com/v1/kettles", kettle("v1", "{size: true}")));
            assertThat(refusal.code()).isEqualTo(400);
            assertThat(refusal.text())
                    .isEqualTo("admission webhook \"example.com\" denied the request: a size is no yes or no");
            server.create("example.com/v1/kettles", kettle("v1", "{size: small}"));
            assertThat(refused(() -> server.patch("example.com/v1/kettles/k", "{spec: {size: true}}"))
                            .code())
                    .isEqualTo(400);
        }
    }

    @Test
    void behaviourSeesWhatIsStoredWhenAnObjectChanges() {
        try (var server = new CustomServer(feature())) {
            server.create("example.com/v1/kettles", kettle("v1", "{size: small}"));
            assertThat(server.patch("example.com/v1/kettles/k", "{spec: {litres: 7}}")
                            .at("spec", "changes"))
                    .isEqualTo(Json.of(1));
            assertThat(refused(() -> server.patch("example.com/v1/kettles/k", "{spec: {size: large}}"))
                            .text())
                    .endsWith("a kettle does not grow");
        }
    }

    @Test
    void behaviourAdvises() {
        try (var server = new CustomServer(feature())) {
            assertThat(server.warnings("example.com/v1/kettles", kettle("v1", "{size: huge}")))
                    .contains("that is heavy");
        }
    }

    @Test
    void behaviourConvertsBetweenVersionsAndCannotChangeIdentity() {
        try (var server = new CustomServer(feature())) {
            var made = server.create("example.com/v1/kettles", kettle("v1", "{size: small}"));
            var old = server.get("example.com/v1alpha1/kettles/k");
            assertThat(old.string("apiVersion")).isEqualTo("example.com/v1alpha1");
            assertThat(old.string("metadata", "annotations", "converted")).isEqualTo("v1 to v1alpha1");
            assertThat(old.string("metadata", "uid")).isEqualTo(made.string("metadata", "uid"));
        }
    }

    @Test
    void aTrialShowsTheObjectAsItWouldBeReadBack() {
        try (var server = new CustomServer(feature())) {
            var small = Body.of((Json.Obj) YamlText.parse(kettle("v1alpha1", "{size: small}")));
            assertThat(conversion(server.handle(Verb.CREATE, "example.com/v1alpha1/kettles", "dryRun=All", small)))
                    .isEqualTo("v1 to v1alpha1");
            server.create("example.com/v1/kettles", kettle("v1", "{size: small}"));
            var labelled =
                    new Body.Tree("application/merge-patch+json", YamlText.parse("{metadata: {labels: {a: b}}}"));
            assertThat(conversion(server.handle(Verb.PATCH, "example.com/v1alpha1/kettles/k", "dryRun=All", labelled)))
                    .isEqualTo("v1 to v1alpha1");
        }
    }

    private static String conversion(Answer answer) {
        return ((Answer.One) answer).object().tree().string("metadata", "annotations", "converted");
    }

    @Test
    void behaviourConvertsForOwnersInOtherVersions() {
        try (var server = new CustomServer(feature())) {
            apply(server, "one", "v1", "{size: small}");
            var refusal = refused(() -> apply(server, "two", "v1alpha1", "{size: large}"));
            assertThat(refusal.text()).isEqualTo("Apply failed with 1 conflict: conflict with \"one\": .spec.size");
            apply(server, "two", "v1alpha1", "{size: small}");
            assertThat(server.get("example.com/v1/kettles/k").objects("metadata", "managedFields"))
                    .extracting(each -> each.string("manager") + " " + each.string("apiVersion"))
                    .contains("one example.com/v1", "two example.com/v1alpha1");
        }
    }

    private static void apply(CustomServer server, String manager, String version, String spec) {
        var body = new Body.Tree("application/apply-patch+yaml", YamlText.parse(kettle(version, spec)));
        server.handle(Verb.PATCH, "example.com/" + version + "/kettles/k", "fieldManager=" + manager, body);
    }
}
