#pragma once

// Wide characters, and functions instead of macros.
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>

// Of <term.h>, which is mostly macros with names such as "lines".
extern int setupterm(const char *terminal, int descriptor, int *status);

// The screen is shared mutable state, attributes are macros: what Swift cannot take as it is.

// 0 when terminfo does not know the terminal, or it cannot place its cursor.
static inline int attlas_screen_open(FILE *output, FILE *input) {
    SCREEN *screen = newterm(NULL, output, input);
    if (!screen) return 0;
    set_term(screen);
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    set_escdelay(50);
    curs_set(0);
    leaveok(stdscr, TRUE);
    return 1;
}

// Whether presses of the mouse come as keys from here on.
static inline void attlas_screen_take_mouse(int takes) {
    mousemask(takes ? BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON4_PRESSED | BUTTON5_PRESSED : 0, NULL);
    mouseinterval(0);
}

// After KEY_MOUSE: the button that was pressed, 1, or 4 and 5 for the wheel, and where; 2 when it came up; 0 for none.
static inline int attlas_screen_mouse(int *row, int *column) {
    MEVENT event;
    if (getmouse(&event) != OK) return 0;
    *row = event.y;
    *column = event.x;
    if (event.bstate & BUTTON1_RELEASED) return 2;
    return event.bstate & BUTTON1_PRESSED ? 1 : event.bstate & BUTTON4_PRESSED ? 4 : event.bstate & BUTTON5_PRESSED ? 5 : 0;
}

// Red, green and cyan are the pairs 1 to 3.
static inline int attlas_screen_colour(void) {
    if (!has_colors()) return 0;
    start_color();
    use_default_colors();
    init_pair(1, COLOR_RED, -1);
    init_pair(2, COLOR_GREEN, -1);
    init_pair(3, COLOR_CYAN, -1);
    return 1;
}

static inline void attlas_screen_put(
    int row, int column, const wchar_t *character, int bold, int faint, int reverse, int underline, short pair) {
    attr_t attributes = A_NORMAL;
    cchar_t cell;
    if (bold) attributes |= A_BOLD;
    if (faint) attributes |= A_DIM;
    if (reverse) attributes |= A_REVERSE;
    if (underline) attributes |= A_UNDERLINE;
    if (setcchar(&cell, character, attributes, pair, NULL) == OK) mvadd_wchnstr(row, column, &cell, 1);
}

// OK with a character, KEY_CODE_YES with the code of a function key, ERR when none came in time.
static inline int attlas_screen_key(int milliseconds, unsigned int *key) {
    wint_t code = 0;
    wtimeout(stdscr, milliseconds);
    int status = wget_wch(stdscr, &code);
    *key = code;
    return status;
}

static inline void attlas_screen_size(int *rows, int *columns) { getmaxyx(stdscr, *rows, *columns); }

static inline void attlas_screen_clear(void) { clearok(stdscr, TRUE); }

// What ncurses has no call for, behind what it has sent.
static inline void attlas_screen_send(FILE *output, const char *octets) {
    fputs(octets, output);
    fflush(output);
}
