package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Report;
import dev.towtank.app.lint.finding.SourcePlace;
import dev.towtank.app.lint.source.SourceFiles;
import dev.towtank.app.lint.source.SourceFiles.Content;
import dev.towtank.app.lint.standing.Named;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.ObjectBuilder;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// Tells an editor what is wrong while somebody types: the language server protocol, as much of it as that needs. All
/// open files are looked at together, so that they know of each other.
public final class LanguageServer {

    private static final int LARGEST = 2 * SourceFiles.LARGEST;
    private static final int LONGEST_HEADER = 4096;
    private static final long METHOD_NOT_FOUND = -32601;
    private static final String LENGTH = "content-length:";

    private final Function<Report, Report> settings;
    private final Linter linter;
    private final InputStream in;
    private final OutputStream out;
    private final Map<String, String> open = new HashMap<>();
    private boolean isShutDown;

    /// @param settings what counts of what was found
    public LanguageServer(Linter linter, Function<Report, Report> settings, InputStream in, OutputStream out) {
        this.linter = linter;
        this.settings = settings;
        this.in = new BufferedInputStream(in);
        this.out = out;
    }

    /// Serves until the editor says that it is enough, or is gone.
    ///
    /// @return whether it said so
    public boolean serve() throws IOException {
        for (var message = read(); message.isPresent(); message = read()) {
            if (message.get().string("method").equals("exit")) {
                return isShutDown;
            }
            answer(message.get());
        }
        return isShutDown;
    }

    private Optional<Json.Obj> read() throws IOException {
        int length = -1;
        for (var header = header(); !header.isEmpty(); header = header()) {
            var lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith(LENGTH)) {
                var digits = lower.substring(LENGTH.length()).strip();
                length = digits.matches("\\d{1,9}") ? Integer.parseInt(digits) : -1;
            }
        }
        if (length < 0 || length > LARGEST) {
            return Optional.empty();
        }
        try {
            return Optional.of(JsonText.parseObject(in.readNBytes(length)));
        } catch (JsonText.Malformed e) {
            return Optional.of(Json.Obj.EMPTY);
        }
    }

    private String header() throws IOException {
        var line = new StringBuilder();
        for (int letter = in.read(); letter >= 0 && letter != '\n'; letter = in.read()) {
            if (line.length() > LONGEST_HEADER) {
                throw new IOException("a header of the language server protocol is longer than " + LONGEST_HEADER);
            }
            line.append((char) letter);
        }
        return line.toString().strip();
    }

    private void answer(Json.Obj message) throws IOException {
        var document = message.object("params", "textDocument");
        switch (message.string("method")) {
            case "initialize" -> reply(message, capabilities());
            case "shutdown" -> {
                isShutDown = true;
                reply(message, Json.Null.NULL);
            }
            case "textDocument/didOpen" -> {
                open.put(document.string("uri"), document.string("text"));
                publish();
            }
            case "textDocument/didChange" -> {
                var changes = message.objects("params", "contentChanges");
                if (!changes.isEmpty()) {
                    open.put(document.string("uri"), changes.getLast().string("text"));
                    publish();
                }
            }
            case "textDocument/didClose" -> {
                open.remove(document.string("uri"));
                publish(document.string("uri"), List.of());
                publish();
            }
            default -> refuse(message);
        }
    }

    private static Json.Obj capabilities() {
        return Json.Obj.of(
                // One: the whole text comes with every change.
                "capabilities", Json.Obj.of("textDocumentSync", Json.of(1)),
                "serverInfo", Json.Obj.of("name", Json.of("towtank lint")));
    }

    /// Whoever tells something expects no answer.
    private void refuse(Json.Obj message) throws IOException {
        if (message.has("id")) {
            var error = Json.Obj.of(
                    "code", Json.of(METHOD_NOT_FOUND),
                    "message", Json.of("there is no method " + message.string("method")));
            send(message(message).put("error", error).build());
        }
    }

    private void reply(Json.Obj request, Json result) throws IOException {
        send(message(request).put("result", result).build());
    }

    private static ObjectBuilder message(Json.Obj request) {
        var id = request.get("id");
        return Json.Obj.builder().put("jsonrpc", "2.0").put("id", id == null ? Json.Null.NULL : id);
    }

    private void publish() throws IOException {
        var files = new HashMap<String, String>();
        var inputs = open.entrySet().stream()
                .<Supplier<Content>>map(each -> {
                    files.put(file(each.getKey()), each.getKey());
                    return () -> SourceFiles.decode(
                            file(each.getKey()), each.getValue().getBytes(StandardCharsets.UTF_8));
                })
                .toList();
        var report = settings.apply(linter.lint(inputs, new Named(List.copyOf(files.keySet()))));
        for (var each : files.entrySet()) {
            publish(
                    each.getValue(),
                    report.findings().stream()
                            .filter(finding -> finding.place().file().equals(each.getKey()))
                            .toList());
        }
    }

    private static String file(String uri) {
        try {
            return Optional.ofNullable(URI.create(uri).getPath()).orElse(uri);
        } catch (IllegalArgumentException e) {
            return uri;
        }
    }

    private void publish(String uri, List<Finding> findings) throws IOException {
        var diagnostics =
                findings.stream().<Json>map(LanguageServer::diagnostic).toList();
        send(Json.Obj.of(
                "jsonrpc",
                Json.of("2.0"),
                "method",
                Json.of("textDocument/publishDiagnostics"),
                "params",
                Json.Obj.of("uri", Json.of(uri), "diagnostics", new Json.Arr(diagnostics))));
    }

    private static Json.Obj diagnostic(Finding finding) {
        var place = finding.place();
        return Json.Obj.builder()
                .put(
                        "range",
                        Json.Obj.of(
                                "start", position(place, place.column()), "end", position(place, place.endColumn())))
                .put("severity", severity(finding.level()))
                .put("code", finding.rule().id())
                .put("source", "towtank")
                .put("message", finding.message() + (finding.advice().isEmpty() ? "" : "\n" + finding.advice()))
                .build();
    }

    private static long severity(Level level) {
        return switch (level) {
            case ERROR -> 1;
            case WARNING -> 2;
            case INFO -> 3;
        };
    }

    /// Editors count from 0, and in the units of UTF-16.
    private static Json.Obj position(SourcePlace place, int column) {
        var line = place.excerpt();
        int points = Math.min(column - 1, line.codePointCount(0, line.length()));
        int units = line.offsetByCodePoints(0, points) + (column - 1 - points);
        return Json.Obj.of("line", Json.of(place.line() - 1), "character", Json.of(units));
    }

    private void send(Json.Obj message) throws IOException {
        var body = JsonText.write(message).getBytes(StandardCharsets.UTF_8);
        out.write(("Content-Length: " + body.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        out.write(body);
        out.flush();
    }
}
