package dev.towtank.model;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// The rules for names, label keys and label values, with Kubernetes' messages.
public final class Names {

    private static final Pattern DNS_LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern DNS_1035 = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern DNS_SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final Pattern QUALIFIED = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
    private static final Pattern LABEL_VALUE = Pattern.compile("(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?");
    private static final Pattern CONFIG_KEY = Pattern.compile("[-._a-zA-Z0-9]+");

    private static final Pattern PORT_NAME = Pattern.compile("[-a-z0-9]+");

    private static final int LONGEST = 1024;

    private Names() {}

    // Patterns with nested groups recurse for each repetition: a hostile text would exhaust the stack.
    private static boolean fits(Pattern pattern, String value) {
        return value.length() <= LONGEST && pattern.matcher(value).matches();
    }

    /// How a kind wants its `metadata.name`.
    public enum Rule {
        DNS_SUBDOMAIN,
        DNS_LABEL,
        DNS_1035_LABEL,
        /// Anything that is one segment of a URL path, as RBAC names are.
        PATH_SEGMENT;

        /// What is wrong with a name; empty when nothing is. A prefix comes from `generateName`.
        public List<String> check(String name, boolean prefix) {
            var checked = prefix && name.length() > 1 && name.endsWith("-")
                    ? name.substring(0, name.length() - 2) + "a"
                    : name;
            return switch (this) {
                case DNS_SUBDOMAIN -> dnsSubdomain(checked);
                case DNS_LABEL -> dnsLabel(checked);
                case DNS_1035_LABEL -> dns1035Label(checked);
                case PATH_SEGMENT -> pathSegment(name);
            };
        }
    }

    public static List<String> dnsSubdomain(String value) {
        var problems = new ArrayList<String>();
        if (value.length() > 253) {
            problems.add("must be no more than 253 characters");
        }
        if (!fits(DNS_SUBDOMAIN, value)) {
            problems.add(
                    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.',"
                            + " and must start and end with an alphanumeric character (e.g. 'example.com', regex used for"
                            + " validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')");
        }
        return problems;
    }

    public static List<String> dnsLabel(String value) {
        var problems = new ArrayList<String>();
        if (value.length() > 63) {
            problems.add("must be no more than 63 characters");
        }
        if (!fits(DNS_LABEL, value)) {
            problems.add(
                    fits(DNS_SUBDOMAIN, value)
                            ? "must not contain dots"
                            : "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and"
                                    + " must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc',"
                                    + " regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')");
        }
        return problems;
    }

    public static List<String> dns1035Label(String value) {
        var problems = new ArrayList<String>();
        if (value.length() > 63) {
            problems.add("must be no more than 63 characters");
        }
        if (!fits(DNS_1035, value)) {
            problems.add("a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an"
                    + " alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123',"
                    + " regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')");
        }
        return problems;
    }

    public static List<String> pathSegment(String value) {
        if (value.equals(".") || value.equals("..")) {
            return List.of("may not be '" + value + "'");
        }
        var problems = new ArrayList<String>();
        for (var bad : List.of("/", "%")) {
            if (value.contains(bad)) {
                problems.add("may not contain '" + bad + "'");
            }
        }
        return problems;
    }

    /// Keys of labels, annotations and finalizers: an optional DNS prefix, a slash and a name.
    public static List<String> qualifiedName(String value) {
        var problems = new ArrayList<String>();
        var parts = value.split("/", -1);
        var name = parts[parts.length - 1];
        if (parts.length == 2) {
            if (parts[0].isEmpty()) {
                problems.add("prefix part must be non-empty");
            } else {
                dnsSubdomain(parts[0])
                        .forEach(problem ->
                                problems.add("prefix part " + problem.replace("253 characters", "253 bytes")));
            }
        } else if (parts.length > 2) {
            return List.of("a valid label key " + QUALIFIED_WORDS
                    + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
        }
        if (name.isEmpty()) {
            problems.add("name part must be non-empty");
        } else if (name.length() > 63) {
            problems.add("name part must be no more than 63 bytes");
        }
        if (!fits(QUALIFIED, name)) {
            problems.add("name part " + QUALIFIED_WORDS);
        }
        return problems;
    }

    private static final String QUALIFIED_WORDS = "must consist of alphanumeric characters, '-', '_' or '.', and must"
            + " start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for"
            + " validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

    public static List<String> labelValue(String value) {
        var problems = new ArrayList<String>();
        if (value.length() > 63) {
            problems.add("must be no more than 63 bytes");
        }
        if (!fits(LABEL_VALUE, value)) {
            problems.add("a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.',"
                    + " and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or"
                    + " '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')");
        }
        return problems;
    }

    /// Keys of ConfigMaps and Secrets: they become file names, so no path may hide in them.
    public static List<String> configKey(String value) {
        var problems = new ArrayList<String>();
        if (value.length() > 253) {
            problems.add("must be no more than 253 characters");
        }
        if (!fits(CONFIG_KEY, value)) {
            problems.add("a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',"
                    + "  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')");
        }
        if (value.equals(".")) {
            problems.add("must not be '.'");
        } else if (value.equals("..")) {
            problems.add("must not be '..'");
        } else if (value.startsWith("..")) {
            problems.add("must not start with '..'");
        }
        return problems;
    }

    /// Names of container ports, which other objects point to.
    public static List<String> portName(String value) {
        var problems = new ArrayList<String>();
        if (value.length() > 15) {
            problems.add("must be no more than 15 characters");
        }
        if (!fits(PORT_NAME, value)) {
            problems.add("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
        }
        if (value.chars().noneMatch(c -> c >= 'a' && c <= 'z')) {
            problems.add("must contain at least one letter (a-z)");
        }
        if (value.contains("--")) {
            problems.add("must not contain consecutive hyphens");
        }
        if (value.startsWith("-") || value.endsWith("-")) {
            problems.add("must not begin or end with a hyphen");
        }
        return problems;
    }

    /// Names of environment variables: any printable ASCII but `=`.
    public static List<String> environmentVariable(String value) {
        if (value.isEmpty()) {
            return List.of("environment variable name must be non-empty");
        }
        return value.chars().allMatch(c -> c >= ' ' && c <= '~' && c != '=')
                ? List.of()
                : List.of("a valid environment variable name must consist only of printable ASCII characters other than"
                        + " '='");
    }
}
