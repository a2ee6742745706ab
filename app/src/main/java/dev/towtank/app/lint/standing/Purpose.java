package dev.towtank.app.lint.standing;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// What a file is there for, by the names of its folders and its own.
enum Purpose {
    /// Nothing in particular.
    ANY,
    /// To show or to try something, to be filled in, or to be merged.
    ILLUSTRATION,
    /// To be learned from, or to stay as it was; or a program completes it.
    NOT_TO_BE_APPLIED;

    private static final Set<String> SHOWING = words("doc docs documentation example examples exmaple sample samples"
            + " demo demos cheatsheet snippet snippets template templates tmpl skeleton skeletons scaffold scaffolding"
            + " boilerplate boilerplates blueprint blueprints patch patches overlaypatches quickstart quickstarts"
            + " incubator prototype prototypes mock mocks benchmark benchmarks sandbox playground poc scratch experiment experiments experimental"
            + " tmp temp backups dump bak ejemplo ejemplos exemplo exemplos exemple exemples beispiel beispiele");

    private static final Set<String> TEACHING =
            words("tutorial tutorials workshop workshops lab labs exercise exercises"
                    + " lesson lessons course courses solution solutions troubleshooting training");

    /// Whole names of folders: an application may be called `old-school`.
    private static final Pattern KEPT_AS_IT_WAS = Pattern.compile(
            "(^|/)\\.cache/|(^|/)([^/]*[._-])?(archived?|upstream|third[-_]?party|deprecated|obsolete|old|unused|disabled|attic|graveyard|retired|removed)/"
                    + "|(^|/)archived?[-_][^/]*/"
                    + "|[-_.](disabled|deprecated|unused|obsolete|old|bak|backup|orig)\\.(ya?ml|json)$"
                    + "|(^|/)(olm-catalog|issues?|snapshots?|versions/v?\\d[^/]*)/|(^|/)bundles?/(.*/)?v?\\d+\\.\\d+");

    /// From which programs read what they complete.
    private static final Pattern OF_A_PROGRAM = Pattern.compile(
            "(^|/)(\\.lighthouse|bindata|embed(ded)?|pkg|cmd|assets|carvel|ytt|main/resources)/|^internal/");

    /// What says by its name that it is for clusters of other times: `k8s-1.21/`, `legacy/`, `ingress-v1beta1.yaml`;
    /// and releases, which are as they were: `install/v0.9.0/`.
    private static final Pattern OF_OTHER_TIMES =
            Pattern.compile("(k8s|kube(rnetes)?)[-_.]?v?1[._](\\d|1\\d|2[0-4])(\\.\\w+)?[/_-]"
                    + "|(^|/)v?\\d+[._]\\d+([._]\\w+)?/"
                    + "|(^|[/_.-])(v\\d(alpha|beta)\\d|legacy|deprecated|obsolete|old)([/_-]|\\.\\w+$)");

    /// A folder in one of these is called after a cluster.
    private static final Set<String> PLACES = words("clusters cluster overlays environments envs env stages");

    /// Where a word begins in `pipelineTemplate`.
    private static final Pattern WORD_IN_WORD = Pattern.compile("(?<=[a-z])(?=[A-Z])");

    /// A kind of Tekton's triggers is called so.
    private static final String KIND = "trigger[-_]?templates?";

    private static Set<String> words(String text) {
        return Set.of(text.split(" ", -1));
    }

    /// @param file as it is called below what was named
    static Purpose of(String file) {
        var path = file.replace('\\', '/');
        var lower = path.toLowerCase(Locale.ROOT);
        if (KEPT_AS_IT_WAS.matcher(lower).find() || OF_A_PROGRAM.matcher(path).find() || has(path, TEACHING)) {
            return NOT_TO_BE_APPLIED;
        }
        return has(path, SHOWING) ? ILLUSTRATION : ANY;
    }

    /// Whether it may well have versions that are gone.
    static boolean isOfOtherTimes(String file) {
        return OF_OTHER_TIMES.matcher(file.replace('\\', '/')).find();
    }

    private static boolean has(String path, Set<String> words) {
        var names = WORD_IN_WORD
                .matcher(path.replaceFirst("\\.(ya?ml|json)$", ""))
                .replaceAll("-")
                .toLowerCase(Locale.ROOT)
                .replaceAll(KIND, "")
                .split("/", -1);
        for (int i = 0; i < names.length; i++) {
            boolean isOfAPlace = i > 0 && PLACES.contains(names[i - 1]);
            if (!isOfAPlace && Arrays.stream(names[i].split("[_.-]+", -1)).anyMatch(words::contains)) {
                return true;
            }
        }
        return false;
    }
}
