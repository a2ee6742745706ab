package dev.towtank.app.lint;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Which conditions the objects of a kind can have, by what a user may call the kind.
///
/// @param types none where the kind has no conditions at all; the first is what people usually wait for
/// @param otherwise what to write where no condition tells what was asked for
record KnownConditions(String kind, String group, List<String> types, String otherwise) {

    /// Kind, group (`-` for the core one), other names, condition types, and what else to wait for.
    private static final String TABLE = """
            Pod                   -  pods,po                 | Ready,PodScheduled,Initialized,ContainersReady,PodReadyToStartContainers,DisruptionTarget,PodResizePending,PodResizeInProgress | --for=jsonpath='{.status.phase}'=Succeeded
            Node                  -  nodes,no                | Ready,MemoryPressure,DiskPressure,PIDPressure,NetworkUnavailable |
            PersistentVolumeClaim -  persistentvolumeclaims,pvc | Resizing,FileSystemResizePending,ModifyingVolume,ModifyVolumeError,ControllerResizeError,NodeResizeError | --for=jsonpath='{.status.phase}'=Bound
            PersistentVolume      -  persistentvolumes,pv    | | --for=jsonpath='{.status.phase}'=Bound
            Namespace             -  namespaces,ns           | NamespaceDeletionDiscoveryFailure,NamespaceDeletionContentFailure,NamespaceDeletionGroupVersionParsingFailure,NamespaceContentRemaining,NamespaceFinalizersRemaining | --for=jsonpath='{.status.phase}'=Active
            ConfigMap             -  configmaps,cm           | | --for=create
            Secret                -  secrets                 | | --for=create
            ServiceAccount        -  serviceaccounts,sa      | | --for=create
            Deployment            apps deployments,deploy    | Available,Progressing,ReplicaFailure |
            ReplicaSet            apps replicasets,rs        | ReplicaFailure | --for=jsonpath='{.status.readyReplicas}'=N
            StatefulSet           apps statefulsets,sts      | | 'kubectl rollout status statefulset/NAME'
            DaemonSet             apps daemonsets,ds         | | 'kubectl rollout status daemonset/NAME'
            Job                   batch jobs                 | Complete,Failed,Suspended,FailureTarget,SuccessCriteriaMet |
            CronJob               batch cronjobs,cj          | | --for=jsonpath='{.status.lastSuccessfulTime}'
            HorizontalPodAutoscaler autoscaling horizontalpodautoscalers,hpa | AbleToScale,ScalingActive,ScalingLimited |
            PodDisruptionBudget   policy poddisruptionbudgets,pdb | DisruptionAllowed |
            CustomResourceDefinition apiextensions.k8s.io customresourcedefinitions,crd,crds | Established,NamesAccepted,NonStructuralSchema,Terminating,KubernetesAPIApprovalPolicyConformant,StorageMigrating |
            TaskRun               tekton.dev taskruns,tr,trs | Succeeded,TrustedResourcesVerified,TaskRunResultsVerified |
            PipelineRun           tekton.dev pipelineruns,pr,prs | Succeeded,TrustedResourcesVerified |
            CustomRun             tekton.dev customruns      | Succeeded |
            ExternalSecret        external-secrets.io externalsecrets,es | Ready,Deleted |
            SecretStore           external-secrets.io secretstores,ss | Ready |
            ClusterSecretStore    external-secrets.io clustersecretstores,css | Ready |
            PushSecret            external-secrets.io pushsecrets,ps | Ready |
            InferenceService      serving.kserve.io inferenceservices,isvc | Ready,PredictorReady,TransformerReady,ExplainerReady,IngressReady,RoutesReady,PredictorRouteReady,PredictorConfigurationReady,TransformerRouteReady,TransformerConfigurationReady,ExplainerRouteReady,ExplainerConfigurationReady,ExplainerRoutesReady,LatestDeploymentReady,CanaryPredictorReady,Stopped |
            NotebookValidationJob mlops.mlops.dev notebookvalidationjobs,nvj,nvjob | ValidationComplete,Ready,GitCloned,EnvironmentReady,ValidationStarted,ValidationReady,Progressing,Available,BuildStarted,BuildComplete,BuildFailed,BuildReady |
            ObjectBucketClaim     objectbucket.io objectbucketclaims,obc,obcs | | --for=jsonpath='{.status.phase}'=Bound
            Application           argoproj.io applications,app,apps | DeletionError,InvalidSpecError,ComparisonError,SyncError,UnknownError,SharedResourceWarning,RepeatedResourceWarning,ExcludedResourceWarning,OrphanedResourceWarning | --for=jsonpath='{.status.health.status}'=Healthy
            """;

    /// What people write, and what the kind calls it; lower case, after the kind.
    private static final Map<String, String> MEANT = Map.ofEntries(
            Map.entry("notebookvalidationjob complete", "ValidationComplete"),
            Map.entry("notebookvalidationjob completed", "ValidationComplete"),
            Map.entry("notebookvalidationjob succeeded", "ValidationComplete"),
            Map.entry("taskrun complete", "Succeeded"),
            Map.entry("taskrun completed", "Succeeded"),
            Map.entry("pipelinerun complete", "Succeeded"),
            Map.entry("pipelinerun completed", "Succeeded"),
            Map.entry("job completed", "Complete"),
            Map.entry("job succeeded", "Complete"),
            Map.entry("deployment ready", "Available"),
            Map.entry("externalsecret synced", "Ready"),
            Map.entry("externalsecret secretsynced", "Ready"),
            Map.entry("inferenceservice available", "Ready"));

    private static final Map<String, KnownConditions> BY_NAME = byName();

    private static Map<String, KnownConditions> byName() {
        var all = new HashMap<String, KnownConditions>();
        for (var line : TABLE.lines().toList()) {
            var parts = line.split("\\|", -1);
            var words = parts[0].strip().split("\\s+", -1);
            var types = parts[1].strip();
            var row = new KnownConditions(
                    words[0],
                    words[1].equals("-") ? "" : words[1],
                    types.isEmpty() ? List.of() : List.of(types.split(",", -1)),
                    parts[2].strip());
            all.put(words[0].toLowerCase(Locale.ROOT), row);
            for (var name : words[2].split(",", -1)) {
                all.put(name, row);
            }
        }
        return Map.copyOf(all);
    }

    /// @param type as on a command line: `pod`, `deploy`, `taskruns.tekton.dev`
    static Optional<KnownConditions> of(String type) {
        var name = type.toLowerCase(Locale.ROOT);
        int dot = name.indexOf('.');
        var found = Optional.ofNullable(BY_NAME.get(dot < 0 ? name : name.substring(0, dot)));
        return dot < 0 ? found : found.filter(each -> isGroup(name.substring(dot + 1), each.group));
    }

    private static boolean isGroup(String suffix, String group) {
        return suffix.equals(group) || suffix.matches("v\\d+[a-z0-9]*\\." + Pattern.quote(group));
    }

    String withArticle() {
        return ("AEIO".indexOf(kind.charAt(0)) < 0 ? "a " : "an ") + kind;
    }

    boolean has(String condition) {
        return types.stream().anyMatch(condition::equalsIgnoreCase);
    }

    /// What the user surely meant.
    Optional<String> meant(String condition) {
        return Optional.ofNullable(MEANT.get((kind + " " + condition).toLowerCase(Locale.ROOT)));
    }
}
