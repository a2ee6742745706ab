package dev.towtank.model.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.model.Json;
import dev.towtank.model.Schema;
import dev.towtank.model.Schemas;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class StrategicMergePatchTest {

    private static final Schema.Type POD = Schemas.builtin().find("v1", "Pod").orElseThrow();
    private static final Schema.Type DEPLOYMENT =
            Schemas.builtin().find("apps/v1", "Deployment").orElseThrow();

    private static final String CASES = """
            name: fields merge and null takes away
            live: {metadata: {name: web, labels: {a: "1", b: "2"}}, spec: {nodeName: n1}}
            patch: {metadata: {labels: {b: null, c: "3", d: null}}, spec: {nodeName: null}}
            result: {metadata: {name: web, labels: {a: "1", c: "3"}}, spec: {}}
            ---
            name: what is added comes without nulls
            live: {}
            patch: {spec: {affinity: {nodeAffinity: null, podAffinity: {}}}}
            result: {spec: {affinity: {podAffinity: {}}}}
            ---
            name: containers merge by name
            live: {spec: {containers: [{name: a, image: one, tty: true}, {name: b, image: two}]}}
            patch: {spec: {containers: [{name: b, image: three}, {name: c, image: four}]}}
            result: {spec: {containers: [{name: a, image: one, tty: true}, {name: b, image: three}, {name: c, image: four}]}}
            ---
            name: an item is deleted by its key
            live: {spec: {containers: [{name: a}, {name: b}]}}
            patch: {spec: {containers: [{name: a, $patch: delete}]}}
            result: {spec: {containers: [{name: b}]}}
            ---
            name: deleting what is not there changes nothing
            live: {spec: {containers: [{name: a}]}}
            patch: {spec: {containers: [{name: x, $patch: delete}]}}
            result: {spec: {containers: [{name: a}]}}
            ---
            name: a list is replaced when the patch says so
            live: {spec: {containers: [{name: a, image: one}, {name: b}]}}
            patch: {spec: {containers: [{$patch: replace}, {name: a}]}}
            result: {spec: {containers: [{name: a}]}}
            ---
            name: an object is replaced when the patch says so
            live: {spec: {securityContext: {runAsUser: 1, fsGroup: 2}}}
            patch: {spec: {securityContext: {$patch: replace, runAsUser: 3}}}
            result: {spec: {securityContext: {runAsUser: 3}}}
            ---
            name: a deleted object is empty
            live: {spec: {securityContext: {runAsUser: 1}}}
            patch: {spec: {securityContext: {$patch: delete}}}
            result: {spec: {securityContext: {}}}
            ---
            name: a deleted object that is not there stays away
            live: {spec: {}}
            patch: {spec: {securityContext: {$patch: delete}}}
            result: {spec: {}}
            ---
            name: atomic lists are replaced
            live: {spec: {containers: [{name: a, args: [x, w], command: [c]}]}}
            patch: {spec: {containers: [{name: a, args: [z]}]}}
            result: {spec: {containers: [{name: a, args: [z], command: [c]}]}}
            ---
            name: tolerations are replaced as they have no strategy
            live: {spec: {tolerations: [{key: a}, {key: b}]}}
            patch: {spec: {tolerations: [{key: c}]}}
            result: {spec: {tolerations: [{key: c}]}}
            ---
            name: lists of scalars merge without duplicates
            live: {metadata: {finalizers: [a, b]}}
            patch: {metadata: {finalizers: [b, c]}}
            result: {metadata: {finalizers: [a, b, c]}}
            ---
            name: scalars leave by their own directive
            live: {metadata: {finalizers: [a, b, c]}}
            patch: {metadata: {$deleteFromPrimitiveList/finalizers: [b, x]}}
            result: {metadata: {finalizers: [a, c]}}
            ---
            name: scalars leave, arrive and are ordered at once
            live: {metadata: {finalizers: [a, b, c]}}
            patch:
              metadata:
                $setElementOrder/finalizers: [d, a]
                $deleteFromPrimitiveList/finalizers: [b]
                finalizers: [d]
            result: {metadata: {finalizers: [d, a, c]}}
            ---
            name: the order of items can be set alone
            live: {spec: {containers: [{name: a}, {name: b}, {name: c}]}}
            patch: {spec: {$setElementOrder/containers: [{name: c}, {name: a}]}}
            result: {spec: {containers: [{name: b}, {name: c}, {name: a}]}}
            ---
            name: kubectl apply changes an image
            live: {spec: {containers: [{name: sidecar, image: s}, {name: app, image: one}]}}
            patch:
              spec:
                $setElementOrder/containers: [{name: app}]
                containers: [{name: app, image: two}]
            result: {spec: {containers: [{name: sidecar, image: s}, {name: app, image: two}]}}
            ---
            name: kubectl apply exchanges a container
            live: {spec: {containers: [{name: a}, {name: b}]}}
            patch:
              spec:
                $setElementOrder/containers: [{name: b}, {name: c}]
                containers: [{name: c}, {name: a, $patch: delete}]
            result: {spec: {containers: [{name: b}, {name: c}]}}
            ---
            name: a volume changes its source
            live: {spec: {volumes: [{name: v, emptyDir: {}}, {name: w, hostPath: {path: /}}]}}
            patch:
              spec:
                $setElementOrder/volumes: [{name: v}, {name: x}]
                volumes:
                - {name: v, $retainKeys: [name, configMap], configMap: {name: c}, emptyDir: null}
                - {name: x, $retainKeys: [name, emptyDir], emptyDir: {}}
            result:
              spec: {volumes: [{name: v, configMap: {name: c}}, {name: x, emptyDir: {}}, {name: w, hostPath: {path: /}}]}
            ---
            name: environment merges inside containers
            live: {spec: {containers: [{name: a, env: [{name: X, value: "1"}, {name: Y, value: "2"}]}]}}
            patch:
              spec:
                containers:
                - name: a
                  $setElementOrder/env: [{name: X}, {name: Z}]
                  env: [{name: X, value: null, valueFrom: {fieldRef: {fieldPath: p}}}, {name: Z}, {name: Y, $patch: delete}]
            result: {spec: {containers: [{name: a, env: [{name: X, valueFrom: {fieldRef: {fieldPath: p}}}, {name: Z}]}]}}
            ---
            name: a type that does not fit replaces
            live: {spec: {nodeSelector: {a: b}}}
            patch: {spec: {nodeSelector: x}}
            result: {spec: {nodeSelector: x}}
            """;

    static java.util.stream.Stream<Arguments> cases() {
        return YamlText.parseAll(CASES).stream()
                .map(Json.Obj.class::cast)
                .map(each -> Arguments.of(
                        each.string("name"), each.object("live"), each.object("patch"), each.object("result")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void merges(String name, Json.Obj live, Json.Obj patch, Json.Obj result) {
        assertThat(StrategicMergePatch.apply(live, patch, POD)).as(name).isEqualTo(result);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {spec: {containers: [{image: x}]}}                    | map: map[image:x] does not contain declared merge key: name
            {spec: {containers: [{$patch: delete}]}}              | map: map[$patch:delete] does not contain declared merge key: name
            {spec: {containers: [{name: a, $patch: frobnicate}]}} | unknown patch type: frobnicate in map: map[$patch:frobnicate name:a]
            {spec: {containers: [{name: a, $patch: merge}]}}      | merging lists cannot yet be specified in the patch
            {spec: {$patch: merge, nodeName: x}}                  | unknown patch type: merge in map: map[$patch:merge nodeName:x]
            {spec: {$retainKeys: [nodeName], hostname: x}}        | invalid patch format of retainKeys
            {spec: {$retainKeys: nodeName}}                       | invalid patch format of retainKeys
            {spec: {$setElementOrder: []}}                        | invalid patch format of setElementOrder list
            {spec: {$deleteFromPrimitiveList: []}}                | invalid patch format of primitive list
            {spec: {$setElementOrder/foo: []}}                    | unable to find api field in struct PodSpec for the json field "foo"
            {spec: {$setElementOrder/containers: x}}              | expected a []interface {}, but received a string
            {spec: {containers: [[1]]}}                           | lists of lists are not supported
            {spec: {containers: [x]}}                             | list element types are not identical: [[map[name:a]] [x]]
            """)
    void refusesInKubernetesWords(String patch, String message) {
        var live = (Json.Obj) YamlText.parse("{spec: {containers: [{name: a}]}}");
        assertThatThrownBy(() -> StrategicMergePatch.apply(live, (Json.Obj) YamlText.parse(patch), POD))
                .isInstanceOf(StatusError.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {$setElementOrder/containers: [{name: a}, {name: b}], containers: [{name: b}, {name: a}]}
            {$setElementOrder/containers: [{name: a}], containers: [{name: b}]}
            """)
    void refusesAnOrderThatThePatchDoesNotFollow(String spec) {
        var live = (Json.Obj) YamlText.parse("{spec: {containers: [{name: a}]}}");
        var patch = (Json.Obj) YamlText.parse("spec: " + spec);
        assertThatThrownBy(() -> StrategicMergePatch.apply(live, patch, POD))
                .hasMessageContaining("doesn't match $setElementOrder list");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {type: Recreate, $retainKeys: [type]} | {type: Recreate}
            {type: Recreate}                      | {type: Recreate, rollingUpdate: {maxSurge: 1}}
            """)
    void theStrategyOfADeploymentRetainsOnlyNamedKeys(String strategy, String expected) {
        var live = (Json.Obj) YamlText.parse("{spec: {strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1}}}}");
        var patch = (Json.Obj) YamlText.parse("{spec: {strategy: " + strategy + "}}");
        assertThat(StrategicMergePatch.apply(live, patch, DEPLOYMENT).object("spec", "strategy"))
                .isEqualTo(YamlText.parse(expected));
    }
}
