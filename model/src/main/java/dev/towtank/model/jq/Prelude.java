package dev.towtank.model.jq;

import java.util.Map;
import java.util.stream.Collectors;

/// Functions that are best said in the language itself; read when an expression calls them.
final class Prelude {

    static final Map<String, String> DEFINITIONS =
            """
            def values: select(. != null);
            def iterables: select(type == "array" or type == "object");
            def scalars: select(type != "array" and type != "object");
            def map(f): [.[] | f];
            def map_values(f): .[] |= f;
            def recurse(f; c): recurse(f | select(c));
            def while(c; f): select(c) | recurse(f | select(c));
            def until(c; f): recurse(if c then empty else f end) | select(c);
            def repeat(f): recurse(f);
            def in(x): . as $key | x | has($key);
            def inside(x): . as $part | x | contains($part);
            def with_entries(f): to_entries | map(f) | from_entries;
            def paths: path(..) | select(. != []);
            def paths(f): path(.. | select(f)) | select(. != []);
            def leaf_paths: paths(scalars);
            def any: any(.[]; .);
            def all: all(.[]; .);
            def any(f): any(.[]; f);
            def all(f): all(.[]; f);
            def any(g; f): isempty(first(g | f | select(.))) | not;
            def all(g; f): isempty(first(g | f | select(. | not)));
            def add(f): reduce f as $each (null; . + $each);
            def range($to): range(0; $to; 1);
            def range($from; $to): range($from; $to; 1);
            def first: .[0];
            def last: .[-1];
            def nth($n): .[$n];
            def nth($n; f): if $n < 0 then error("Out of bounds negative array index") else first(skip($n; f)) end;
            def skip($n; f): foreach f as $each (-1; . + 1; if . >= $n then $each else empty end);
            def finites: select(isinfinite | not);
            def normals: select(isnormal);
            def combinations: if length == 0 then [] else .[0][] as $head | (.[1:] | combinations) as $rest | [$head] + $rest end;
            def combinations(n): . as $items | [range(n) | $items] | combinations;
            def walk(f): def inner: if type == "array" or type == "object" then map_values(inner) else . end | f; inner;
            def transpose: [range(0; map(length) | max // 0) as $column | [.[][$column]]];
            def flatten: flatten(1e9);
            def toarray: if type == "array" then . else [.] end;
            def todate: strftime("%Y-%m-%dT%H:%M:%SZ");
            def fromdateiso8601: strptime("%Y-%m-%dT%H:%M:%SZ") | mktime;
            def todateiso8601: todate;
            def fromdate: fromdateiso8601;
            def date: todate;
            def dateadd(unit; $by): . + $by;
            def datesub(unit; $by): . - $by;
            def test(re): test(re; null);
            def match(re): match(re; null);
            def capture(re): capture(re; null);
            def capture(re; flags): match(re; flags) | [.captures[] | select(.name != null) | {key: .name, value: .string}] | from_entries;
            def scan(re): scan(re; null);
            def scan(re; $flags): match(re; "g" + $flags) | if .captures == [] then .string else [.captures[].string] end;
            def splits(re): splits(re; null);
            def splits(re; flags): split(re; flags)[];
            def sub(re; text): sub(re; text; "");
            def gsub(re; text): sub(re; text; "g");
            def gsub(re; text; $flags): sub(re; text; $flags + "g");
            def ascii: [.] | implode;
            def index(part): indices(part) | .[0];
            def rindex(part): indices(part) | .[-1];
            def tostream: path(def inner: (.[]? | inner), .; inner) as $at | getpath($at) | if type == "array" or type == "object" then (if length == 0 then [$at, .] else empty end), (select(length > 0) | [$at + [keys_unsorted[-1]]]) else [$at, .] end;
            def fromstream(f): foreach f as $event ({done: false}; (if .done then {done: false} else . end) | if ($event | length) == 2 then setpath(["whole"] + $event[0]; $event[1]) | .done = ($event[0] == []) else .done = ($event[0] | length == 1) end; if .done then .whole else empty end);
            def truncate_stream(f): . as $depth | f | select(.[0] | length > $depth) | .[0] |= .[$depth:];
            def limit($n; f): if $n < 0 then f else _limit($n; f) end;
            def JOIN($index; f): [.[] | [., $index[f]]];
            def JOIN($index; rows; f): rows | [., $index[f]];
            def JOIN($index; rows; f; joined): rows | [., $index[f]] | joined;
            def toboolean: if type == "boolean" then . elif . == "true" then true elif . == "false" then false else error("\\(type) (\\(tojson)) cannot be parsed as a boolean") end;
            def IN(s): any(s == .; .);
            def IN(src; s): any(src == s; .);
            def INDEX(f): INDEX(.[]; f);
            def INDEX(stream; f): reduce stream as $row ({}; .[$row | f | tostring] = $row);
            def have_literal_numbers: true;
            def have_decnum: false;
            def objects: select(type == "object");
            def arrays: select(type == "array");
            def strings: select(type == "string");
            def numbers: select(type == "number");
            def booleans: select(type == "boolean");
            def nulls: select(type == "null");
            def isvalid(f): try (f | true) catch false;
            def min_by(f): _extreme(f; false);
            def max_by(f): _extreme(f; true);
            def min: _extreme(.; false);
            def max: _extreme(.; true);
            def sort: sort_by(.);
            def unique: unique_by(.);
            def error(f): f | error;
            """.lines().collect(Collectors.toUnmodifiableMap(Prelude::signature, line -> line));

    private Prelude() {}

    private static String signature(String definition) {
        int colon = definition.indexOf(':');
        var head = definition.substring("def ".length(), colon);
        int open = head.indexOf('(');
        return open < 0 ? head + "/0" : head.substring(0, open) + "/" + head.split(";", -1).length;
    }
}
