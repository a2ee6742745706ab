package dev.towtank.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a file is for, told by what lies around it.
final class LintSurroundingsTest {

    private static final String FINE = "nothing to complain about";

    private final LintedTree tree = new LintedTree();

    @TempDir
    Path temp;

    @BeforeEach
    void useADirectoryOfItsOwn() throws IOException {
        tree.begin(temp);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"k8s-1.21/a.yaml", "legacy/a.yaml", "deploy/ingress-v1beta1.yaml", "1.18/a.yaml", "a-old.yaml"})
    void whatIsCalledOldIsForOldClusters(String file) throws IOException {
        var budget = "apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: a}\n";
        tree.beOfANewCluster();
        tree.put(file, budget);
        assertThat(tree.linted("")).contains(FINE);

        tree.put("deploy/a.yaml", budget);
        tree.put("k8s-1.35/a.yaml", budget);
        tree.put("folder/threshold.yaml", budget);
        assertThat(tree.linted("")).contains("3 errors", "unserved-version");
    }

    @Test
    void partsInAFolderOfTemplatesAreCompletedByAProgram() throws IOException {
        var part = "kind: Deployment\nmetadata: {name: a}\nspec: {replicas: 2}\n";
        var whole = "apiVersion: apps/v1\n" + part;
        tree.put("app/templates/part.yaml", part);
        tree.put("app/templates/whole.yaml", whole);
        assertThat(tree.linted("")).contains(FINE);

        tree.put("app/other/part.yaml", part);
        assertThat(tree.linted("")).contains("1 warning", "no-kind");
    }

    @Test
    void templatesOfAChartAreWhole() throws IOException {
        tree.put("chart/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n");
        tree.put(
                "chart/templates/a.yaml",
                "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {replicas: 2}\n");

        assertThat(tree.linted("chart")).contains("spec.selector: Required value");
    }

    @Test
    void releasesAreAsTheyWere() throws IOException {
        var role = "apiVersion: rbac.authorization.k8s.io/v1beta1\nkind: ClusterRole\nmetadata: {name: a}\nrules: []\n";
        tree.beOfANewCluster();
        tree.put("install/v0.9.0/all.yaml", role);
        assertThat(tree.linted("")).contains(FINE);

        tree.put("install/newest/all.yaml", role);
        assertThat(tree.linted("")).contains("1 error", "unserved-version");
    }

    @Test
    void whatIsLeftEmptyIsFilledIn() throws IOException {
        var namespace = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: %s\n";
        tree.put("a.yaml", namespace.formatted("\"\" # by an overlay"));
        assertThat(tree.linted("")).contains(FINE);

        tree.put("a.yaml", namespace.formatted("two.words"));
        assertThat(tree.linted("")).contains("1 error");
    }

    @Test
    void wordsInBracesAreForPeopleInASecretToo() throws IOException {
        var secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: hook}\nstringData:\n  url: %s\n";
        tree.put("a.yaml", secret.formatted("{generated webhook URL}"));
        assertThat(tree.linted("")).contains(FINE);

        tree.put("a.yaml", secret.formatted("{a: b}"));
        assertThat(tree.linted("")).contains("1 error").doesNotContain("a: b");
    }

    @Test
    void aNewClusterElsewhereSaysLittle() throws IOException {
        var role = "apiVersion: rbac.authorization.k8s.io/v1beta1\nkind: ClusterRole\nmetadata: {name: a}\nrules: []\n";
        tree.put("later/gateway/scaler.yaml", """
                apiVersion: autoscaling/v2
                kind: HorizontalPodAutoscaler
                metadata: {name: web}
                spec: {maxReplicas: 2, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
                """);
        tree.put("first/mesh/role.yaml", role);
        assertThat(tree.linted("")).contains("1 warning", "unserved-version");

        tree.put("later/mesh/role.yaml", role);
        assertThat(tree.linted("")).contains("1 error, 1 warning");

        for (var name : new String[] {"a", "b", "c"}) {
            tree.put("first/" + name + "/role.yaml", role);
        }
        assertThat(tree.linted("")).contains("1 error in");
    }

    @Test
    void aFileThatIsCalledATemplateIsFilledIn() throws IOException {
        var service = """
                apiVersion: v1
                kind: Service
                metadata: {name: web}
                spec: {ports: [{port: PORT}]}
                """;
        tree.put("web-template.yaml", service);
        tree.put("other.yaml", service.replace("PORT", "replace_port"));
        assertThat(tree.linted("")).contains(FINE);

        tree.put("web.yaml", service.replace("PORT", "eighty"));
        assertThat(tree.linted("")).contains("1 error", "spec.ports[0].port must be a whole number");
    }

    @Test
    void aKindThatIsCalledATemplateIsWhole() throws IOException {
        tree.put("trigger-template.yaml", """
                apiVersion: triggers.tekton.dev/v1beta1
                kind: TriggerTemplate
                metadata: {name: On_Push}
                spec: {resourcetemplates: []}
                """);

        assertThat(tree.linted("")).contains("warning", "On_Push");
    }

    @Test
    void whatHasFieldsOfItsOwnIsNoObject() throws IOException {
        tree.put("install-config.yaml", "apiVersion: v1\nbaseDomain: example.com\nmetadata: {name: one}\n");
        assertThat(tree.linted("")).contains(FINE);

        tree.put("map.yaml", "apiVersion: v1\nmetadata: {name: one}\ndata: {a: b}\n");
        assertThat(tree.linted("")).contains("1 warning", "an object without kind");
    }

    @Test
    void kindsOfTriggersInTheGroupOfPipelinesAreToldWhereTheyAre() throws IOException {
        tree.put("a.yaml", "apiVersion: tekton.dev/v1beta1\nkind: EventListener\nmetadata: {name: a}\nspec: {}\n");

        assertThat(tree.linted(""))
                .contains("1 warning", "triggers.tekton.dev/v1beta1")
                .doesNotContain("error  ");
    }

    @Test
    void aVolumeThatIsWrongIsThere() throws IOException {
        var pod = """
                apiVersion: v1
                kind: Pod
                metadata: {name: a}
                spec:
                  containers: [{name: a, image: 'a:1', volumeMounts: [{name: keys, mountPath: /keys}]}]
                  volumes: [{name: %s, secret: {name: keys}}]
                """;
        tree.put("a.yaml", pod.formatted("keys"));
        assertThat(tree.linted("")).contains("secret.name").doesNotContain("undefined-volume");

        tree.put("a.yaml", pod.formatted("locks"));
        assertThat(tree.linted("")).contains("undefined-volume");
    }

    @Test
    void whatAKustomizationDoesNotListItWouldComplete() throws IOException {
        var binding = """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: a}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: a}
                subjects: [{kind: ServiceAccount, name: a}]
                """;
        tree.put("app/binding.yaml", binding);
        assertThat(tree.linted("app")).contains("1 error", "subjects[0].namespace: Required value");

        tree.put("app/kustomization.yaml", "namespace: one\nresources: [other.yaml]\n");
        tree.put("app/other.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
        assertThat(tree.linted("")).contains(FINE);
    }

    @Test
    void whatAChartFillsInIsForWhoeverInstallsIt() throws IOException {
        tree.put("chart/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n");
        tree.put("chart/values.yaml", "schedule: ''\n");
        var job = """
                apiVersion: batch/v1
                kind: CronJob
                metadata: {name: a}
                spec:
                  schedule: %s
                  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: 'a:1'}]}}}}
                """;
        tree.put("chart/templates/a.yaml", job.formatted("{{ .Values.schedule }}"));
        assertThat(tree.linted("chart")).contains(FINE);

        tree.put("chart/templates/a.yaml", job.formatted("often"));
        assertThat(tree.linted("chart")).contains("1 error", "spec.schedule");
    }

    @Test
    void whatIsPutAsideNeedsNotBuild() throws IOException {
        tree.put("apps/a/kustomization.yaml", "resources: [../../common]\n");
        assertThat(tree.linted("")).contains("1 warning", "unrenderable");

        tree.put("apps/a/kustomization.yaml", "resources: [./flux-system]\n");
        tree.put(".archive/b/kustomization.yaml", "resources: [../../common]\n");
        assertThat(tree.linted("")).contains(FINE);
    }

    @Test
    void whatAnOperatorMakesMayBeScaled() throws IOException {
        var scaler = """
                apiVersion: autoscaling/v2
                kind: HorizontalPodAutoscaler
                metadata: {name: a}
                spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: %s}}
                ---
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: front}
                spec:
                  selector: {matchLabels: {app: a}}
                  template: {metadata: {labels: {app: a}}, spec: {containers: [{name: a, image: 'a:1'}]}}
                """;
        tree.put("a.yaml", scaler.formatted("registry-quay-app"));
        assertThat(tree.linted("")).contains(FINE);

        tree.put("a.yaml", scaler.formatted("frnt"));
        assertThat(tree.linted("")).contains("1 warning", "Did you mean \"front\"?");
    }

    @Test
    void adviceNamesSomethingElseThanWhatIsThere() throws IOException {
        tree.put("a.yaml", """
                apiVersion: tekton.dev/v1
                kind: TaskRun
                metadata: {name: a}
                spec:
                  taskSpec: {steps: [{name: a, image: 'a:1'}], workspaces: [{name: data}]}
                  workspaces: [{name: data, secret: {name: keys}}]
                """);
        tree.put("b.yaml", """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: things.storage.k8s.io}
                spec:
                  group: storage.k8s.io
                  names: {kind: Thing, plural: things}
                  scope: Cluster
                  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
                """);

        assertThat(tree.linted(""))
                .contains("has no field \"name\" here", "Add api-approved.kubernetes.io.")
                .doesNotContain("Did you mean \"name\"?");
    }

    @Test
    void templatesAreKnownByTheNameOfTheirLanguage() throws IOException {
        var text = "kind: ConfigMap\n<#if a>\ndata: {}\n</#if>\n";
        tree.put("a/map.ftl.yaml", text);
        tree.put("chart/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n");
        tree.put("chart/values.ftl.yaml", text);
        assertThat(tree.linted("")).contains(FINE);

        tree.put("a/map.yaml", "apiVersion: v1\n" + text);
        assertThat(tree.linted("")).contains("1 error", "yaml-syntax");
    }

    @Test
    void whatIsMissingForABuildMayCompleteAnything() throws IOException {
        tree.put("app/kustomization.yaml", "resources: [pod.yaml]\npatches: [{path: env/patch.yaml}]\n");
        tree.put("app/pod.yaml", """
                apiVersion: v1
                kind: Pod
                metadata: {name: a}
                spec: {containers: [{name: a, image: 'a:1', volumeMounts: [{name: watch, mountPath: /watch}]}]}
                """);
        assertThat(tree.linted("")).contains("1 warning", "unrenderable").doesNotContain("undefined-volume");

        tree.put(".gitignore", "env/\n");
        assertThat(tree.linted("")).contains(FINE);
    }

    @Test
    void fluxPatchesWhatItBuilds() throws IOException {
        tree.put("base/kustomization.yaml", "resources: [web.yaml]\n");
        tree.put("base/web.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {}\n");
        assertThat(tree.linted("base")).contains("spec.ports: Required value");

        tree.put("flux/all.yaml", """
                apiVersion: kustomize.toolkit.fluxcd.io/v1
                kind: Kustomization
                metadata: {name: all}
                spec: {path: ./base, patches: [{patch: 'spec: {ports: []}', target: {kind: Service}}]}
                """);
        assertThat(tree.linted("")).contains(FINE);
    }

    @Test
    void aSampleShowsWhatItSpeaksOf() throws IOException {
        var service = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {}\n";
        tree.put("config/samples/web.yaml", service);
        assertThat(tree.linted("")).contains(FINE);

        tree.put("config/web.yaml", service);
        assertThat(tree.linted("")).contains("1 warning");
    }

    @Test
    void aNameWithMoreBehindItIsAnother() throws IOException {
        var pod = """
                apiVersion: v1
                kind: Pod
                metadata: {name: a}
                spec:
                  containers: [{name: a, image: 'a:1'}]
                  volumes: [{name: data, persistentVolumeClaim: {claimName: torrents}}]
                ---
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: %s}
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                """;
        tree.put("a.yaml", pod.formatted("torrents-i"));
        assertThat(tree.linted("")).contains(FINE);

        tree.put("a.yaml", pod.formatted("torents"));
        assertThat(tree.linted("")).contains("1 warning", "Did you mean \"torents\"?");
    }

    @Test
    void whoNamesRepositoriesOfImagesNamesNoVersion() throws IOException {
        var object = "apiVersion: %s\nkind: %s\nmetadata: {name: a}\nspec: {image: web}\n";
        tree.put("a.yaml", object.formatted("image.toolkit.fluxcd.io/v1beta2", "ImageRepository"));
        tree.put("test-network.yaml", object.formatted("argoproj.io/v1alpha1", "Workflow"));
        assertThat(tree.linted("")).contains(FINE);

        tree.put("b.yaml", object.formatted("argoproj.io/v1alpha1", "Workflow"));
        assertThat(tree.linted("b.yaml")).contains("1 warning", "image-latest");
    }

    @Test
    void aDefinitionThatAnOperatorIsPackedWithDefinesItsKind() throws IOException {
        tree.put("bundle/manifests/widgets.yaml", """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: widgets.example.com, creationTimestamp: null}
                spec:
                  group: example.com
                  names: {kind: Widget, plural: widgets}
                  scope: Namespaced
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
                status:
                  acceptedNames: {kind: "", plural: ""}
                  conditions: null
                  storedVersions: null
                """);
        tree.put(
                "apps/widget.yaml",
                "{apiVersion: example.com/v1, kind: Widget, metadata: {name: one}, spec: {sise: 3}}\n");
        // Beside others it may be of another release than that of the cluster.
        assertThat(tree.linted("")).contains(FINE);

        tree.put("go.mod", "module example.com/operator\n");
        assertThat(tree.linted("")).contains("unknown field \"spec.sise\"");
    }
}
