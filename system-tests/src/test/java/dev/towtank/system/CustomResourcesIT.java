package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Definitions of custom resources and their objects, with real kubectl.
@ParameterizedClass
@MethodSource("binaries")
class CustomResourcesIT {

    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: boats.sea.example.com}
            spec:
              group: sea.example.com
              scope: Namespaced
              names: {plural: boats, singular: boat, kind: Boat, shortNames: [bt], categories: [fleet]}
              versions:
              - name: v1
                served: true
                storage: true
                subresources:
                  status: {}
                  scale: {specReplicasPath: .spec.crew, statusReplicasPath: .status.crew}
                additionalPrinterColumns:
                - {name: Hull, type: string, jsonPath: .spec.hull}
                - {name: Crew, type: integer, jsonPath: .spec.crew}
                schema: &schema
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        required: [hull]
                        properties:
                          hull: {type: string, enum: [wood, steel]}
                          crew: {type: integer, minimum: 1, default: 2}
                        x-kubernetes-validations:
                        - {rule: "self.hull != 'wood' || self.crew <= 10", message: too many for wood}
                      status:
                        type: object
                        properties: {crew: {type: integer}}
              - name: v1beta1
                served: true
                storage: false
                schema: *schema
            """;

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.common();

    @Parameter
    Path binary;

    private Kubectl kubectl;

    static List<Path> binaries() {
        return Kubectl.binaries();
    }

    @BeforeEach
    void define() {
        kubectl = Kubectl.of(binary, SERVER.kubeconfig(), "default");
        assertThat(kubectl.withInput(DEFINITION, "apply", "-f", "-")).contains("boats.sea.example.com created");
    }

    private static String boat(String name, String spec) {
        return "---\n{apiVersion: sea.example.com/v1, kind: Boat, metadata: {name: " + name + "}, spec: {" + spec
                + "}}";
    }

    @Test
    void servesWhatADefinitionDefines() {
        kubectl.run("wait", "--for=condition=established", "crd/boats.sea.example.com", "--timeout=120s");
        kubectl.withInput(boat("ark", "hull: wood"), "create", "-f", "-");
        assertThat(kubectl.run("get", "bt")).containsPattern("NAME +HULL +CREW").containsPattern("ark +wood +2");
        assertThat(kubectl.run("get", "fleet", "-o", "name")).isEqualTo("boat.sea.example.com/ark\n");
        assertThat(kubectl.run("get", "boats.v1beta1.sea.example.com", "ark", "-o", "jsonpath={.apiVersion}"))
                .isEqualTo("sea.example.com/v1beta1");
        assertThat(kubectl.run("api-resources", "--api-group=sea.example.com")).containsPattern("boats +bt .* Boat");
        assertThat(kubectl.run("explain", "boat.spec.hull")).contains("hull");
        assertThat(kubectl.run("explain", "boat", "--recursive")).contains("hull", "crew", "status", "ownerReferences");
        kubectl.run("scale", "boat", "ark", "--replicas=4");
        assertThat(kubectl.run("get", "boat", "ark", "-o", "jsonpath={.spec.crew} {.metadata.generation}"))
                .isEqualTo("4 2");
        refuses(boat("bad", "hull: paper"), "spec.hull: Unsupported value: \"paper\"");
        refuses(boat("bad", "crew: 3"), "spec.hull: Required value");
        refuses(boat("bad", "hull: wood, crew: 20"), "too many for wood");
        refuses(boat("bad", "hull: wood, crew: none"), "spec.crew: Invalid value: \"string\"");
        kubectl.run("patch", "boat", "ark", "--type=merge", "-p", "{\"spec\":{\"hull\":\"steel\",\"sail\":\"red\"}}");
        assertThat(kubectl.run("get", "boat", "ark", "-o", "jsonpath={.spec}"))
                .contains("steel")
                .doesNotContain("sail");
        kubectl.run("delete", "crd", "boats.sea.example.com");
        // Which of the two kubectl says depends on what it still remembers of its last discovery.
        assertThat(kubectl.attempt("get", "boats").err())
                .containsAnyOf(
                        "the server doesn't have a resource type \"boats\"",
                        "the server could not find the requested resource");
        kubectl.withInput(DEFINITION, "apply", "-f", "-");
        assertThat(kubectl.run("get", "boats", "-o", "name")).isEmpty();
        kubectl.run("delete", "crd", "boats.sea.example.com");
    }

    @Test
    void tellsManagersOfDifferentVersionsApart() {
        var odd = kubectl.attempt(boat("odd", "hull: wood, sails: 3"), Map.of(), "create", "-f", "-");
        assertThat(odd.err()).contains("unknown field").contains("sails");
        apply("mate", boat("ark", "hull: wood, crew: 3"));
        assertThat(kubectl.run("get", "fleet", "-o", "name")).contains("boat.sea.example.com/ark");
        var older = boat("ark", "crew: 4").replace("/v1,", "/v1beta1,");
        var conflict = kubectl.attempt(
                older, Map.of(), "apply", "--server-side", "--field-manager=captain", "--validate=false", "-f", "-");
        assertThat(conflict.err()).contains("conflict with \"mate\": .spec.crew");
        apply("captain", older, "--force-conflicts");
        assertThat(kubectl.run("get", "boat", "ark", "-o", "jsonpath={.spec}")).contains("\"crew\":4");
        apply("mate", boat("ark", "hull: wood"));
        assertThat(kubectl.run("get", "boat", "ark", "-o", "jsonpath={.spec}")).contains("\"crew\":4");
        kubectl.run("delete", "crd", "boats.sea.example.com");
    }

    private void apply(String manager, String object, String... options) {
        var words = new ArrayList<>(
                List.of("apply", "--server-side", "--field-manager=" + manager, "--validate=false", "-f", "-"));
        words.addAll(List.of(options));
        kubectl.withInput(object, words.toArray(String[]::new));
    }

    private void refuses(String object, String why) {
        var outcome = kubectl.attempt(object, Map.of(), "create", "--validate=false", "-f", "-");
        assertThat(outcome.exit()).as(outcome.out()).isEqualTo(1);
        assertThat(outcome.err()).contains(why);
    }
}
