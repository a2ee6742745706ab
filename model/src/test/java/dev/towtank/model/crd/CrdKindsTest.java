package dev.towtank.model.crd;

import static dev.towtank.model.crd.SchemaTrial.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.kinds.KindTrial;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CrdKindsTest {

    private static final Json.Obj CRD = yaml("""
            spec:
              group: stable.example.com
              scope: Namespaced
              names: {plural: crontabs, singular: crontab, kind: CronTab, listKind: CronTabList, shortNames: [ct], categories: [all]}
              versions:
              - name: v1
                served: true
                storage: true
                subresources:
                  status: {}
                  scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas, labelSelectorPath: .status.labelSelector}
                selectableFields: [{jsonPath: .spec.cronSpec}, {jsonPath: .spec.replicas}]
                additionalPrinterColumns:
                - {name: Spec, type: string, jsonPath: .spec.cronSpec, description: The schedule}
                - {name: Replicas, type: integer, jsonPath: .spec.replicas, priority: 1}
                - {name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status'}
                - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        properties: {cronSpec: {type: string}, replicas: {type: integer, default: 1, minimum: 0}}
                      status: {type: object, x-kubernetes-preserve-unknown-fields: true}
              - name: v1beta1
                served: true
                deprecated: true
                schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
              - name: v1alpha1
                served: false
                schema: {openAPIV3Schema: {type: object}}
            """);

    private static final List<Kind<Json.Obj>> KINDS = new CrdKinds(new SchemaCache(), List.of()).served(CRD, () -> CRD);

    private static final Kind<Json.Obj> V1 = KINDS.getFirst();

    @Test
    void makesAKindOfEachServedVersion() {
        assertThat(KINDS)
                .extracting(Kind::toString)
                .containsExactly("stable.example.com/v1 CronTab", "stable.example.com/v1beta1 CronTab");
        assertThat(V1.names()).isEqualTo(new Kind.Names("crontabs", "crontab", List.of("ct"), List.of("all")));
        assertThat(V1.isNamespaced()).isTrue();
        assertThat(V1.hasStatus()).isTrue();
        assertThat(KINDS.getLast().hasStatus()).isFalse();
        assertThat(V1.scale())
                .contains(new Kind.Scale(
                        List.of("spec", "replicas"),
                        List.of("status", "replicas"),
                        java.util.Optional.of(List.of("status", "labelSelector"))));
        assertThat(CrdKinds.storageVersion(CRD)).isEqualTo("v1");
        assertThat(V1.rules().countsGenerations()).isTrue();
    }

    @Test
    void showsTheColumnsThatTheDefinitionAsksFor() {
        var trial = new KindTrial(V1);

        assertThat(trial.headings()).containsExactly("Name", "Spec", "Replicas", "Ready", "Age");
        assertThat(V1.columns().get(1).description()).isEqualTo("The schedule");
        assertThat(V1.columns().get(2).description())
                .isEqualTo("Custom resource definition column (in JSONPath format): .spec.replicas");
        assertThat(V1.columns().get(2).priority()).isEqualTo(1);
        assertThat(trial.row("""
                        metadata: {name: my-cron, creationTimestamp: "2024-01-01T00:00:00Z"}
                        spec: {cronSpec: "* * * * *", replicas: 3}
                        status: {conditions: [{type: Other, status: "False"}, {type: Ready, status: "True"}]}
                        """, "2024-01-01T05:00:00Z")).containsExactly("my-cron", "* * * * *", "3", "True", "5h");
        assertThat(trial.row("metadata: {name: bare}", "2024-01-01T05:00:00Z"))
                .containsExactly("bare", "null", "null", "null", "null");
    }

    @Test
    void showsNameAndAgeByDefault() {
        var trial = new KindTrial(KINDS.getLast());

        assertThat(trial.headings()).containsExactly("Name", "Age");
        assertThat(trial.row("metadata: {name: a, creationTimestamp: '2024-01-01T00:00:00Z'}", "2024-01-01T00:00:30Z"))
                .containsExactly("a", "30s");
    }

    @Test
    void appliesTheSchema() {
        var trial = new KindTrial(V1);

        assertThat(trial.stored("spec: {}").object("spec")).isEqualTo(yaml("{replicas: 1}"));
        assertThat(trial.errors("spec: {cronSpec: 1}"))
                .containsExactly(
                        "spec.cronSpec: Invalid value: \"integer\": spec.cronSpec in body must be of type string:"
                                + " \"integer\"");
        assertThat(trial.errors("{spec: {}, status: {replicas: -1}}"))
                .containsExactly(".status.replicas: Invalid value: -1: should be a non-negative integer");
        assertThat(trial.updateErrors(
                        yaml("spec: {cronSpec: 1, replicas: 1}"), yaml("spec: {cronSpec: 1, replicas: 2}")))
                .as("an old mistake")
                .isEmpty();
        assertThat(V1.rules().prune(yaml("{spec: {a: 1}}"), _ -> {})).isEqualTo(yaml("{spec: {}}"));
        assertThat(KINDS.getLast().rules().prune(yaml("{spec: {a: 1}}"), _ -> {}))
                .isEqualTo(yaml("{spec: {a: 1}}"));
    }

    @Test
    void selectsByFields() {
        var fields = V1.rules().selectableFields();
        var object = yaml("{spec: {cronSpec: daily, replicas: 3}}");

        assertThat(fields.keySet()).containsExactly("spec.cronSpec", "spec.replicas");
        assertThat(fields.get("spec.cronSpec").apply(object)).isEqualTo("daily");
        assertThat(fields.get("spec.replicas").apply(object)).isEqualTo("3");
        assertThat(fields.get("spec.replicas").apply(Json.Obj.EMPTY)).isEmpty();
    }

    @Test
    void warnsOfDeprecatedVersions() {
        assertThat(KINDS.getLast().rules().warnings(yaml("{apiVersion: stable.example.com/v1beta1, kind: CronTab}")))
                .containsExactly("stable.example.com/v1beta1 CronTab is deprecated");
        assertThat(V1.rules().warnings(Json.Obj.EMPTY)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            .a.b                            | [1]
            .list[0].key                      | ["x"]
            .list[-1].key                     | ["y"]
            .list[*].key                      | ["x","y"]
            .list[?(@.key=="y")].v            | [2]
            .list[?(@.v>1)].key               | ["y"]
            .list[?(@.w)].key                 | ["y"]
            ['a']['b']                      | [1]
            .labels.app\\.io/name           | ["z"]
            .labels['app.io/name']          | ["z"]
            ..key                             | ["x","y"]
            .nope.b                         | []
            """)
    void followsJsonPaths(String path, String expected) {
        var object = yaml("{a: {b: 1}, list: [{key: x, v: 1}, {key: 'y', v: 2, w: 3}], labels: {app.io/name: z}}");

        assertThat(new Json.Arr(JsonPathQuery.parse(path).orElseThrow().find(object)))
                .hasToString(expected);
    }

    @Test
    void ignoresPathsThatItDoesNotKnow() {
        assertThat(JsonPathQuery.parse(".a[?(b==1)]")).isEmpty();
        assertThat(JsonPathQuery.parse(".a[")).isEmpty();
        assertThat(JsonPathQuery.parse("a")).isEmpty();
    }

    @Test
    void sharesSchemasWithTheSameContent() {
        var cache = new SchemaCache(2);
        var schema = yaml("{type: object, properties: {a: {type: string}}}");

        var first = cache.get(schema);

        assertThat(cache.get(yaml("{type: object, properties: {a: {type: string}}}")))
                .isSameAs(first);
        cache.get(yaml("{type: object, title: one}"));
        cache.get(yaml("{type: object, title: two}"));
        assertThat(cache.size()).isEqualTo(2);
        assertThat(cache.get(schema)).as("long not asked for").isNotSameAs(first);
    }

    @Test
    void checksTheStatusOfAnUpdate() {
        var errors = new FieldError.Collector();

        V1.rules().validateStatus(yaml("{status: {replicas: -1}}"), Json.Obj.EMPTY, errors);

        assertThat(SchemaTrial.messages(errors))
                .containsExactly(".status.replicas: Invalid value: -1: should be a non-negative integer");
    }
}
