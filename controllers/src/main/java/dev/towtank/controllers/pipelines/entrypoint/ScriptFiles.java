package dev.towtank.controllers.pipelines.entrypoint;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/// The shell program of the init container that puts scripts into files. A node with a shell runs it; ours reads it
/// and writes the files itself.
public final class ScriptFiles {

    private static final String PREAMBLE = "#!/bin/sh\nset -e\n";

    private static final Pattern SCRIPT = Pattern.compile(
            "scriptfile=\"([^\"\\n]+)\"\\n[^\\n]*\\ncat > \\$\\{scriptfile} << '_EOF_'\\n([A-Za-z0-9+/=]*)\\n_EOF_\\n");
    private static final Pattern VERBATIM = Pattern.compile(
            "tmpfile=\"([^\"\\n]+)\"\\n[^\\n]*\\ncat > \\$\\{tmpfile} << '([^'\\n]+)'\\n(.*?)\\n\\2\\n",
            Pattern.DOTALL);

    private ScriptFiles() {}

    /// A script as it is written: with an interpreter, whether or not its author named one.
    public static String complete(String script) {
        return script.strip().startsWith("#!") ? script : PREAMBLE + script;
    }

    /// What puts one script into its file. Coded, so that nothing on the way takes a `$` in it for its own.
    public static String place(String file, String script) {
        return """
                scriptfile="%s"
                touch ${scriptfile} && chmod +x ${scriptfile}
                cat > ${scriptfile} << '_EOF_'
                %s
                _EOF_
                /tekton/bin/entrypoint decode-script "${scriptfile}"
                """.formatted(
                file, Base64.getEncoder().encodeToString(complete(script).getBytes(StandardCharsets.UTF_8)));
    }

    /// What puts a text of our own into a file as it is.
    public static String placeVerbatim(String file, String marker, String text) {
        return """
                tmpfile="%s"
                touch ${tmpfile} && chmod +x ${tmpfile}
                cat > ${tmpfile} << '%s'
                %s
                %s
                """.formatted(file, marker, text, marker);
    }

    /// The files that such a program would write, by path.
    static Map<String, byte[]> read(String program) {
        var files = new LinkedHashMap<String, byte[]>();
        var scripts = SCRIPT.matcher(program);
        while (scripts.find()) {
            files.put(scripts.group(1), Base64.getDecoder().decode(scripts.group(2)));
        }
        var texts = VERBATIM.matcher(program);
        while (texts.find()) {
            files.put(texts.group(1), (texts.group(3) + "\n").getBytes(StandardCharsets.UTF_8));
        }
        return files;
    }
}
