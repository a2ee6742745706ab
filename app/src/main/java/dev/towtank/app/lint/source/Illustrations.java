package dev.towtank.app.lint.source;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Rule;
import java.util.regex.Pattern;

/// Files that show how something is written: what they speak of is with whoever tries them, no version of an image is
/// better than another, and nobody's cluster depends on them.
public final class Illustrations {

    private static final Pattern FOLDER = Pattern.compile(
            "(?i)(^|[/\\\\])([\\w.-]*docs?|documentation|[\\w.-]*examples?|samples?|tutorials?|([\\w.-]*[-_.])?(labs?|exercises?|lessons?|courses?|workshops?|troubleshooting)([-_.]\\w[\\w.-]*)?|(\\d+[-_])?demos?([-_]?files)?"
                    + "|snippets?|[._]?archived?)[/\\\\]");

    /// What says by its name that it is for clusters of other times: `k8s-1.21/`, `legacy/`, `ingress-v1beta1.yaml`;
    /// and releases, which are as they were: `install/v0.9.0/`.
    private static final Pattern OLD =
            Pattern.compile("(k8s|kube(rnetes)?)[-_.]?v?1[._](\\d|1\\d|2[0-4])(\\.\\w+)?[/\\\\_-]"
                    + "|(^|[/\\\\])v?\\d+[._]\\d+([._]\\w+)?[/\\\\]"
                    + "|(^|[/\\\\_.-])(v\\d(alpha|beta)\\d|legacy|deprecated|obsolete|old)([/\\\\_-]|\\.\\w+$)");

    private Illustrations() {}

    /// A finding, at the level that it has where it was made.
    public static Finding judged(Finding finding) {
        var file = finding.place().file();
        boolean isQuiet = (finding.level() == Level.WARNING
                        && FOLDER.matcher(file).find())
                || (finding.rule() == Rule.UNSERVED_VERSION && OLD.matcher(file).find());
        return isQuiet ? finding.at(Level.INFO) : finding;
    }
}
