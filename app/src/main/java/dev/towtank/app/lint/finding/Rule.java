package dev.towtank.app.lint.finding;

import java.util.Optional;
import java.util.stream.Stream;

/// All that can be found, by the names that users silence.
public enum Rule {
    UNREADABLE("unreadable", Level.ERROR, "The file is no text in UTF-8, or too large."),
    YAML_SYNTAX("yaml-syntax", Level.ERROR, "The text is not YAML."),
    DUPLICATE_KEY("duplicate-key", Level.WARNING, "A key stands twice in the same map."),
    EMPTY_FILE("empty-file", Level.INFO, "There is nothing in the file."),
    HELM_TEMPLATE("helm-template", Level.INFO, "A Helm template: only what stands there literally was checked."),
    UNRENDERABLE("unrenderable", Level.WARNING, "The chart or kustomization cannot be rendered."),
    NO_KIND("no-kind", Level.WARNING, "An object without apiVersion, kind or name."),

    UNSERVED_VERSION("unserved-version", Level.ERROR, "The target's release no longer serves this API version."),
    DEPRECATED_VERSION("deprecated-version", Level.INFO, "A newer API version is there, and this one will go."),
    UNKNOWN_KIND("unknown-kind", Level.ERROR, "The API group has no such kind."),
    UNKNOWN_FIELD("unknown-field", Level.ERROR, "The kind has no such field."),
    WRONG_TYPE("wrong-type", Level.ERROR, "A value is of another type than its field."),
    REFUSED("refused", Level.ERROR, "Admission or validation would refuse the object."),
    FEATURE_FLAG("feature-flag", Level.WARNING, "Tekton takes this only with a feature flag that is off by default."),
    SERVER_WARNING("server-warning", Level.WARNING, "The server would take the object, with a warning."),
    DUPLICATE_OBJECT("duplicate-object", Level.WARNING, "The same object stands twice in one file."),
    SECRETSTORE_SERVER("secretstore-server", Level.ERROR, "A SecretStore of the kubernetes provider has no server."),
    SECRETSTORE_RIGHTS("secretstore-rights", Level.WARNING, "A SecretStore is valid although it may read only some."),

    UNDEFINED_TASK("undefined-task", Level.WARNING, "No file defines the Task, Pipeline or StepAction."),
    UNDEFINED_VARIABLE("undefined-variable", Level.ERROR, "A param or variable that nothing declares."),
    UNDEFINED_RESULT("undefined-result", Level.ERROR, "A result that the task does not declare."),
    UNWRITTEN_RESULT("unwritten-result", Level.WARNING, "A result that no step writes."),
    UNDEFINED_WORKSPACE("undefined-workspace", Level.ERROR, "A workspace that nothing declares."),
    UNDEFINED_VOLUME("undefined-volume", Level.ERROR, "A volumeMount names a volume that nothing declares."),
    UNDEFINED_SECRET("undefined-secret", Level.WARNING, "No file defines the Secret."),
    UNDEFINED_CONFIGMAP("undefined-configmap", Level.WARNING, "No file defines the ConfigMap."),
    UNDEFINED_SERVICEACCOUNT("undefined-serviceaccount", Level.WARNING, "No file defines the ServiceAccount."),
    UNDEFINED_CLAIM("undefined-claim", Level.WARNING, "No file defines the PersistentVolumeClaim."),
    UNDEFINED_STORE("undefined-store", Level.WARNING, "No file defines the SecretStore."),
    MISSING_PARAM("missing-param", Level.ERROR, "A param without default is not given a value."),
    PARAM_TYPE("param-type", Level.ERROR, "A param gets a text where it needs a list, or the other way round."),
    MISSING_WORKSPACE("missing-workspace", Level.ERROR, "A workspace that is not optional is not bound."),

    UNDEFINED_KEY("undefined-key", Level.WARNING, "The ConfigMap or Secret of the same files has no such key."),
    UNDEFINED_TARGET("undefined-target", Level.WARNING, "No file defines what an autoscaler is to scale."),
    UNMATCHED_SELECTOR("unmatched-selector", Level.WARNING, "A Service selects no pod of the files beside it."),
    UNMATCHED_PORT("unmatched-port", Level.WARNING, "A probe or Service names a port that no container has."),
    SHARED_CLAIM("shared-claim", Level.WARNING, "Pods of several nodes are to mount a claim that one node can."),

    WAIT_CONDITION("wait-condition", Level.ERROR, "A wait for a condition that the kind never sets."),
    STAT_FORMAT("stat-format", Level.WARNING, "A call of stat as only macOS understands it."),
    SHELL_SYNTAX("shell-syntax", Level.ERROR, "The shell cannot parse the script."),
    SHELL_PORTABILITY("shell-portability", Level.WARNING, "The script needs bash, and asks for sh."),
    HERE_DOCUMENT("here-document", Level.WARNING, "A here-document is never closed."),
    PYTHON_SYNTAX("python-syntax", Level.ERROR, "Python cannot parse the script."),
    SHELLCHECK("shellcheck", Level.WARNING, "What shellcheck says, where it is installed."),

    IMAGE_LATEST("image-latest", Level.WARNING, "An image without a version, or with latest."),
    IMAGE_NOT_MAPPED("image-not-mapped", Level.INFO, "A step's image means nothing on this machine."),
    UNUSED_PARAM("unused-param", Level.WARNING, "A param is declared and never used."),
    UNREACHABLE_TASK("unreachable-task", Level.WARNING, "A task whose conditions can never hold."),
    UNKNOWN_SILENCE("unknown-silence", Level.WARNING, "A comment silences a rule that does not exist.");

    private final String id;
    private final Level level;
    private final String summary;

    Rule(String id, Level level, String summary) {
        this.id = id;
        this.level = level;
        this.summary = summary;
    }

    public String id() {
        return id;
    }

    public Level level() {
        return level;
    }

    /// One sentence.
    public String summary() {
        return summary;
    }

    public static Optional<Rule> find(String id) {
        return Stream.of(values()).filter(rule -> rule.id.equals(id)).findFirst();
    }
}
