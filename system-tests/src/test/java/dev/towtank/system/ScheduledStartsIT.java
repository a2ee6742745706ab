package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// CronJobs that start pipelines, in all the ways that people have found.
class ScheduledStartsIT {

    private static final String STARTED = """
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: starter}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: starter}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit}
            subjects: [{kind: ServiceAccount, name: starter, namespace: default}]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: listener}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: tekton-triggers-eventlistener-roles}
            subjects: [{kind: ServiceAccount, name: starter, namespace: default}]
            ---
            apiVersion: tekton.dev/v1
            kind: Pipeline
            metadata: {name: nightly}
            spec: {tasks: [{name: say, taskSpec: {steps: [{name: s, image: busybox, script: echo good night}]}}]}
            ---
            apiVersion: triggers.tekton.dev/v1beta1
            kind: EventListener
            metadata: {name: cron}
            spec:
              serviceAccountName: starter
              triggers:
              - name: cron
                template:
                  spec:
                    resourcetemplates:
                    - apiVersion: tekton.dev/v1
                      kind: PipelineRun
                      metadata: {generateName: listener-, labels: {way: listener}}
                      spec: {pipelineRef: {name: nightly}}
            ---
            apiVersion: v1
            kind: Secret
            metadata: {name: forge}
            stringData: {provider.token: t0ken, secret: knock}
            ---
            apiVersion: pipelinesascode.tekton.dev/v1alpha1
            kind: Repository
            metadata: {name: app}
            spec:
              url: FORGE/team/app
              git_provider: {type: gitea, secret: {name: forge}}
              incoming: [{type: webhook-url, targets: [main], secret: {name: forge}}]
            """;

    /// How `tkn pipeline start` does it, which is not at hand in a build.
    private static final String AS_TKN = "curl -sSf --cacert $SA/ca.crt -H \"Authorization: Bearer $(cat $SA/token)\""
            + " -H 'Content-Type: application/json' https://$KUBERNETES_SERVICE_HOST:$KUBERNETES_SERVICE_PORT/apis/tekton.dev/v1/namespaces/default/pipelineruns"
            + " -d '{\"apiVersion\":\"tekton.dev/v1\",\"kind\":\"PipelineRun\",\"metadata\":{\"generateName\":\"nightly-run-\","
            + "\"labels\":{\"way\":\"tkn\"}},\"spec\":{\"pipelineRef\":{\"name\":\"nightly\"}}}'";

    private static final String AS_KUBECTL = "printf 'apiVersion: tekton.dev/v1\\nkind: PipelineRun\\nmetadata: "
            + "{generateName: kubectl-, labels: {way: kubectl}}\\nspec: {pipelineRef: {name: nightly}}\\n' | kubectl create -f -";

    private static final String TO_LISTENER = "curl -sSf -X POST --data '{}' -H 'Content-Type: application/json'"
            + " http://el-cron.default.svc.cluster.local:8080";

    private static final String TO_INCOMING = "curl -sSf --cacert $SA/ca.crt -H 'Content-Type: application/json'"
            + " https://$KUBERNETES_SERVICE_HOST:$KUBERNETES_SERVICE_PORT/pipelines-as-code/incoming"
            + " -d '{\"repository\":\"app\",\"branch\":\"main\",\"pipelinerun\":\"incoming\",\"secret\":\"knock\"}'";

    private static final String INCOMING = """
            apiVersion: tekton.dev/v1
            kind: PipelineRun
            metadata:
              name: incoming
              labels: {way: incoming}
              annotations: {pipelinesascode.tekton.dev/on-event: "[incoming]", pipelinesascode.tekton.dev/on-target-branch: main}
            spec: {pipelineRef: {name: nightly}}
            """;

    private static String cronJob(String name, String image, String script) {
        return """
                ---
                apiVersion: batch/v1
                kind: CronJob
                metadata: {name: %s}
                spec:
                  schedule: "0 2 * * 0"
                  jobTemplate:
                    spec:
                      backoffLimit: 0
                      template:
                        spec:
                          serviceAccountName: starter
                          restartPolicy: Never
                          containers:
                          - name: main
                            image: %s
                            env: [{name: SA, value: /var/run/secrets/kubernetes.io/serviceaccount}]
                            command: [sh, -c]
                            args:
                            - |
                              %s
                """.formatted(name, image, script);
    }

    @Test
    void aCronJobStartsARunInEveryWay() throws Exception {
        var pipeline = STARTED.substring(STARTED.indexOf("apiVersion: tekton.dev/v1\nkind: Pipeline\n"));
        try (var forge = SmallForge.start(Map.of(
                        ".tekton/incoming.yaml",
                        INCOMING,
                        ".tekton/pipeline.yaml",
                        pipeline.substring(0, pipeline.indexOf("---"))));
                var server = RunningTowtank.start("--virtual-time")) {
            var kubectl = Kubectl.newest(server.kubeconfig(), "default");
            kubectl.withInput(
                    STARTED.replace("FORGE", forge.address())
                            + cronJob("kubectl", "bitnami/kubectl", AS_KUBECTL)
                            + cronJob("tkn", "curlimages/curl", AS_TKN)
                            + cronJob("listener", "curlimages/curl", TO_LISTENER)
                            + cronJob("incoming", "curlimages/curl", TO_INCOMING),
                    "apply",
                    "-f",
                    "-");
            kubectl.await("eventlistener/cron", "{.status.conditions[?(@.type=='Ready')].status}", "True");
            Eventually.listens(kubectl.run("get", "service", "el-cron", "-o", "jsonpath={.spec.clusterIP}"), 8080);
            var advanced = Program.towtank(
                    "time", "advance", "7d", "--data", server.data().toString());
            assertThat(advanced.exit()).as(advanced.err()).isZero();
            for (var way : List.of("kubectl", "tkn", "listener", "incoming")) {
                kubectl.await(
                        "pipelineruns", "-l=way=" + way, "{.status.conditions[?(@.type=='Succeeded')].status}", "True");
            }
            assertThat(kubectl.run("get", "jobs", "-o", "jsonpath={.items[*].status.failed}"))
                    .isEmpty();
        }
    }
}
