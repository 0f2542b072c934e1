export const HELP = `ebbline keeps an LLM agent's session inside its context window.

Usage: ebbline detect  [--json] FILE...
       ebbline plan    [options] FILE...
       ebbline compact [options] [-o OUT] FILE
       ebbline validate [--also RULE] [--except RULE] FILE...
       ebbline summary-request [options] [--answer ANSWER] FILE
       ebbline replay  [options] FILE...
       ebbline compare [options] [--policies NAME,NAME] FILE...
       ebbline audit   [--check] FILE...
       ebbline profiles [--json]

  detect    which format a session is of, and what shows it
  plan      what would be pruned and summarised, message by message, and why
  compact   does it; the session goes to standard output, everything else to standard error
  validate  whether the provider would accept it, and where it breaks which rule
  summary-request
            what to ask a model for when old messages are to be summarised; with its answer,
            the summary that compact --summary takes
  replay    what a policy would have done over the session's whole life, request by request,
            and what that would have cost
  compare   the same for several policies, side by side
  audit     what was really lost by the compactions that a file records, worst first
  profiles  the policies there are

FILE is a session of any supported agent or library: Claude Code, Codex, OpenCode, pi, TunaCode,
Gemini CLI, Copilot CLI, Cline, OpenHands, SWE-agent, OpenAI, Anthropic, Gemini, the AI SDK,
LangChain, pydantic-ai and others. A single - is standard input.

Policy
  --profile NAME        the policy to begin with (default: ebbline@1)
  --set PATH=VALUE      turn one knob, such as prune.protect=30000 or retain.keep=10%;
                        may be repeated
  --context N           the model's context window, in tokens
  --output-limit N      the most that an answer may have, in tokens
  --known-tokens N      what the context holds, as the provider reported it
  --force               compact even if the context is not full

Replay
  --policies NAME,NAME  compare: these profiles instead of all
  --loss                compare: also what the assistant needs again (by words, without a model)
  --overhead N          the tokens that every request sends beside the messages
  --usage WORD          where reported usage comes from: estimate, recorded or nothing
  --rates A,B,C         what cached input, written input and output cost, as multiples of the
                        price of fresh input (default: 0.1,1.25,5)
  --cache-minimum N     the smallest prefix that the provider caches, in tokens
  --cache-lives N       how many minutes it stays cached, by the moments in the session
  --csv                 a table for spreadsheets

Input
  --format NAME         the format it must be; without it, it is found out
  --conversation N      of a file of many conversations, the one that is the session, counted
                        from 0 (default: 0); the others are counted, but not changed
  --strict              refuse messages that the format's own system refuses to load
  --also RULE           validate: check this rule besides those of the format, such as last_role
                        for a list that is to be sent as it is; may be repeated
  --except RULE         validate: do not check this rule; may be repeated

Output
  --json                for programs: one line of JSON for each file
  --check               plan: exit with 3 if something is to be done; audit: if something
                        was lost
  --summary FILE        compact: the summary of the messages before the retention window;
                        without one they stay where they are
  --free-bytes          compact: also clear what the file holds beside what is sent: copies of
                        pruned outputs, and outputs that are only marked as pruned
  --focus WORDS         summary-request: what the summary is to dwell on
  --budget N            summary-request: the most tokens of the request
  --answer ANSWER       summary-request: the model's answer; it is checked, the files that were
                        read and modified are added to it, and it is printed
  -o, --out OUT         compact: write the session to this file, which may be FILE itself; - is
                        standard output. The file is replaced as a whole or not at all, whatever
                        happens; other hard links to it keep the old session
  --now MOMENT          compact: the moment that is written beside what is compacted: milliseconds
                        since 1970, or 2026-01-31T12:00:00Z. Without it, it is the newest moment
                        in the session: the same session always gives the same bytes
  --color WHEN          auto, always or never; NO_COLOR is respected
  -h, --help            this text
  -V, --version         the version

Exit codes
  0  done, or nothing to do
  1  a file cannot be read or written, is no session, or is not valid
  2  the command line is wrong
  3  plan --check: something is to be done
  4  a fault of ebbline itself
A reader that closes the pipe early, such as head, is no fault.
`;
