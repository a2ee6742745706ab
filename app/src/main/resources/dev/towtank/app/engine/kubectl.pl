#!/usr/bin/perl
# kubectl in a pod of a machine that has none: hands its arguments, its files and the pod's own token to the server, which
# makes the requests, and prints what comes back.
use strict;
use warnings;
use Socket;

my $account = '/var/run/secrets/kubernetes.io/serviceaccount';

sub fail {
    print STDERR "error: $_[0]\n";
    exit 1;
}

sub content {
    my ($path) = @_;
    open(my $in, '<:raw', $path) or return undef;
    local $/ = undef;
    return scalar <$in>;
}

sub frame {
    my ($type, $text) = @_;
    my $bytes = $type . length($text) . "\n" . $text;
    while (length $bytes) {
        my $count = syswrite(SERVER, $bytes);
        defined $count or fail("the server went away: $!");
        $bytes = substr($bytes, $count);
    }
}

sub receive {
    my ($length) = @_;
    my $bytes = '';
    while (length($bytes) < $length) {
        my $count = sysread(SERVER, $bytes, $length - length($bytes), length($bytes));
        $count or fail('the server went away');
    }
    return $bytes;
}

sub file {
    my ($name) = @_;
    my $text;
    if ($name eq '-') {
        local $/ = undef;
        $text = <STDIN>;
    } elsif (-d $name) {
        $text = join("\n---\n", map { content($_) } sort grep { /\.(ya?ml|json)$/ } glob("\Q$name\E/*"));
    } else {
        $text = content($name);
    }
    if (defined $text) {
        frame('F', $name);
        frame('C', $text);
    }
}

my $token = content("$account/token");
defined $token or fail('this pod has no token: its service account, or the pod, does not mount one');
(my $socket = $0) =~ s{[^/]*$}{.kubectl};
socket(SERVER, PF_UNIX, SOCK_STREAM, 0) or fail("$!");
connect(SERVER, sockaddr_un($socket)) or fail("the server does not answer: $!");
frame('T', $token);
frame('N', content("$account/namespace") // '');
my $logs = grep { $_ eq 'logs' } @ARGV;
for my $i (0 .. $#ARGV) {
    frame('A', $ARGV[$i]);
    next if $logs;
    if ($i > 0 && $ARGV[ $i - 1 ] =~ /^(-f|--filename)$/) {
        file($ARGV[$i]);
    } elsif ($ARGV[$i] =~ /^(?:--filename=|-f=?)(.+)$/) {
        file($1);
    }
}
frame('G', '');
$| = 1;
while (1) {
    my $type = receive(1);
    my $length = '';
    for (my $next = receive(1); $next ne "\n"; $next = receive(1)) {
        $length .= $next;
    }
    my $text = receive($length);
    exit $text if $type eq 'X';
    $type eq 'O' ? print STDOUT $text : print STDERR $text;
}
