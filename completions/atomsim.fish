# SPDX-License-Identifier: MIT
# Fish completion. The program says what a word can become, by its own tables, so this need not change when they do.

function __atomsim_complete
    set -l words (commandline -opc) (commandline -ct)
    $words[1] --complete $words[2..-1] 2>/dev/null
end
complete -c atomsim -a '(__atomsim_complete)'
