int main (int x) { return x; }
