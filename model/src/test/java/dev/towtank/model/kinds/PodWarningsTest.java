package dev.towtank.model.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.Path;
import dev.towtank.model.YamlText;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodWarningsTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {spec: {nodeSelector: {beta.kubernetes.io/os: linux}}}           | spec.template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead
                    {spec: {imagePullSecrets: [{}]}}                                 | spec.template.spec.imagePullSecrets[0].name: invalid empty name ""
                    {spec: {imagePullSecrets: [{name: a}, {name: a}]}}               | spec.template.spec.imagePullSecrets[1].name: duplicate name "a"
                    {spec: {volumes: [{name: a, gitRepo: {}}]}}                      | spec.template.spec.volumes[0].gitRepo: deprecated in v1.11
                    {spec: {terminationGracePeriodSeconds: -1}}                      | spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1
                    {spec: {topologySpreadConstraints: [{}]}}                        | spec.template.spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod
                    {spec: {containers: [{env: [{name: A, value: x}, {name: A, value: y}]}]}} | spec.template.spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply
                    {spec: {containers: [{resources: {limits: {memory: 100m}}}]}}    | spec.template.spec.containers[0].resources.limits[memory]: fractional byte value "100m" is invalid, must be an integer
                    {spec: {containers: [{ports: [{containerPort: 80}]}, {ports: [{containerPort: 80}]}]}} | spec.template.spec.containers[1].ports[0]: duplicate port definition with spec.template.spec.containers[0].ports[0]
                    {metadata: {annotations: {scheduler.alpha.kubernetes.io/critical-pod: ""}}} | spec.template.metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead
                    """)
    void advisesOnWhatWillNotWorkAsMeant(String template, String warning) {
        assertThat(PodTemplates.warnings(Path.of("spec", "template"), parse(template)))
                .containsExactly(warning);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {spec: {containers: [{env: [{name: A, value: x}, {name: A, value: "$(A)y"}]}]}}
                    {spec: {containers: [{image: nginx, ports: [{containerPort: 80}, {containerPort: 81}]}]}}
                    """)
    void staysQuietOtherwise(String template) {
        assertThat(PodTemplates.warnings(Path.ROOT, parse(template))).isEqualTo(List.of());
    }

    private static Json.Obj parse(String yaml) {
        return (Json.Obj) YamlText.parse(yaml);
    }
}
