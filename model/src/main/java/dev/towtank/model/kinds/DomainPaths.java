package dev.towtank.model.kinds;

import dev.towtank.model.Names;
import java.util.regex.Pattern;

/// Names of controllers: a domain, a slash and a path, such as `acme.io/ingress`.
public final class DomainPaths {

    private static final String PATH_FORMAT = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
    private static final Pattern PATH = Pattern.compile(PATH_FORMAT);

    private DomainPaths() {}

    public static void validate(Field field) {
        if (field.isEmpty()) {
            field.required("");
            return;
        }
        int slash = field.text().indexOf('/');
        if (slash <= 0 || slash == field.text().length() - 1) {
            field.invalid("must be a domain-prefixed path (such as \"acme.io/foo\")");
            return;
        }
        var domain = field.text().substring(0, slash);
        var path = field.text().substring(slash + 1);
        Names.dnsSubdomain(domain).forEach(problem -> field.errors().invalid(field.path(), domain, problem));
        if (!PATH.matcher(path).matches()) {
            field.errors()
                    .invalid(field.path(), path, "Invalid path (regex used for validation is '" + PATH_FORMAT + "')");
        }
    }
}
