package dev.towtank.node.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetworkNeedsTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            one container that listens nowhere        | false | {}  | containers: [{name: main}]
            a port                                    | true  | {}  | containers: [{name: main, ports: [{containerPort: 80}]}]
            a probe over the network                  | true  | {}  | containers: [{name: main, readinessProbe: {tcpSocket: {port: 80}}}]
            a probe by a command                      | false | {}  | containers: [{name: main, readinessProbe: {exec: {command: [ls]}}}]
            two containers                            | true  | {}  | containers: [{name: main}, {name: other}]
            steps of a task                           | false | {}  | containers: [{name: step-a}, {name: step-b}]
            steps of a task beside a sidecar          | true  | {}  | containers: [{name: step-a}, {name: sidecar-b}]
            an init container that goes on            | true  | {}  | {containers: [{name: main}], initContainers: [{name: a, restartPolicy: Always}]}
            the machine's network asked for           | false | {}  | {hostNetwork: true, containers: [{name: main, ports: [{containerPort: 80}]}]}
            asked for                                 | true  | {towtank.dev/network: own}     | containers: [{name: main}]
            not wanted                                | false | {towtank.dev/network: machine} | containers: [{name: main}, {name: other}]
            """)
    void onlyWhoListensOrHasCompanyHasAnOwn(String what, boolean own, String annotations, String spec) {
        var pod = "{metadata: {name: p, annotations: %s}, spec: %s}"
                .formatted(annotations, spec.startsWith("{") ? spec : "{" + spec + "}");

        assertThat(NetworkNeeds.isOwn(Resource.of((Json.Obj) YamlText.parse(pod))))
                .as(what)
                .isEqualTo(own);
    }
}
